"""Lexicons: what people know of words, as rated pairs and linguistic oracles."""
