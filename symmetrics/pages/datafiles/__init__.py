"""Files of examples of any size, read and counted by DuckDB: Parquet, CSV, JSON lines and databases."""
