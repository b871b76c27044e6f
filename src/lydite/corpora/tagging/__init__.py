"""Sentences with a tag a word: tasks of token tagging, whatever files they come from."""
