"""Models: what is put to the test, one family per file."""
