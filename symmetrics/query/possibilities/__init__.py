"""What a metric can be: which properties follow from others, and which exclude each other, whatever the metric."""
