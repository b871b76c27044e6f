"""Spaces: vocabularies with vectors, read from any file, mapped from the cache, searched exactly."""
