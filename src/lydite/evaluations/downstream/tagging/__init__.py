"""Token tagging: what frozen vectors of words are worth to a tagger of sequences."""
