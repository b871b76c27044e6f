"""Linguistic oracles: the linguistic properties of words, and where they come from."""
