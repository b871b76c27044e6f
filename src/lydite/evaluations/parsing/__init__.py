"""Dependency parsing: whether the vectors know which word depends on which."""
