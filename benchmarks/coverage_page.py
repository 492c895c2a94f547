"""What the coverage study found, in words and tables."""
