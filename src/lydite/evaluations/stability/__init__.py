"""Stability: whether spaces that were trained alike have the same nearest words."""
