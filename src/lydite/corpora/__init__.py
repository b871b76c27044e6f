"""Corpora: tokens of texts."""
