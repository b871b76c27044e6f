"""Text classification: how useful the vectors are for a classifier."""
