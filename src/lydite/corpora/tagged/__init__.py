"""Corpora whose words carry tags or senses."""
