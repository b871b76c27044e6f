"""Terms whose use in a corpus is studied, and where they come from."""
