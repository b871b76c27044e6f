"""Nonce2Vec: skip-gram that learns one new word, fast, within a space that stays as it is."""
