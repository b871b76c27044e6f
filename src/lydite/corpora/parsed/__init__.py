"""Dependency-parsed text as arrays, in blocks, from three notations in one scheme of relations."""
