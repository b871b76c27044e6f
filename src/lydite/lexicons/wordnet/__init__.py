"""Princeton WordNet, read from its own database files."""
