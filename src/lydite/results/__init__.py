"""Results: one answer as plain data, kept whole on disk, compared honestly."""
