"""Spaces: vocabularies with vectors, read from any file, mapped from a cache, searched exactly."""
