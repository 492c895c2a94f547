"""General tools: errors, files, budgets, workers, names; nothing here knows what a metric is."""
