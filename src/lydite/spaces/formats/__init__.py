"""Vector files: what they look like, how they are read and written."""
