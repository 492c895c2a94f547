"""Find theorems about all metrics: consequences of some properties, for every metric that has them."""
