"""What a metric can be: combinations of properties, theorems, synthesis, mending; no verdict is found here."""
