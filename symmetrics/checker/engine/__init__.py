"""What the families of the checker share: its own arithmetic of fractions, series, signs and intervals."""
