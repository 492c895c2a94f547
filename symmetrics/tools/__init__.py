"""What any program needs: errors, files, budgets, workers, names.  Nothing here knows what a metric is."""
