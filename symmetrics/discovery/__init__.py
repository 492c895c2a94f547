"""Which metrics exist: combinations of properties, theorems, synthesis, mending; no verdict is found here."""
