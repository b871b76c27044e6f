"""Dependency-parsed text: read, made, and counted as triples."""
