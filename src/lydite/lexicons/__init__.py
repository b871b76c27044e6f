"""Lexicons: rated pairs, frequencies, oracles, taxonomies, WordNet, information content."""
