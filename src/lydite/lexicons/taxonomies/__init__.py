"""Taxonomies: concepts, their labels, and which is more general."""
