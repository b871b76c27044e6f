"""Texts with classes: tasks of text classification, whatever file they come from."""
