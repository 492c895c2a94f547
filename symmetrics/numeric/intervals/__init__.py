"""How sure a value is: intervals for any formula, by the methods of the literature; no metric is a special case."""
