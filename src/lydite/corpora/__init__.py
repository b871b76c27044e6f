"""Corpora: documents, books, tokens, terms and their samples, paraphrases, annotated text."""
