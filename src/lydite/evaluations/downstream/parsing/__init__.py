"""Dependency parsing: what frozen vectors are worth as the only features of a parser."""
