"""Counts where the data lie: data frames and relations of any engine, through Narwhals."""
