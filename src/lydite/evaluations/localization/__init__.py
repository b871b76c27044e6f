"""Localization: whether sentences of one meaning live in one place."""
