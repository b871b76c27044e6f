"""Token tagging: whether the vectors know what part of speech a word is."""
