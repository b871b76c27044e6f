"""Word similarity: whether cosines order word pairs as people do."""
