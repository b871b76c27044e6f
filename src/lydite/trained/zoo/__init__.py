"""A grid of spaces from one corpus."""
