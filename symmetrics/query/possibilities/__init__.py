"""What a metric can be: theorems about all metrics, and which combinations of properties are possible at all."""
