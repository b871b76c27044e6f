"""Consistency: whether a term learned twice from one text is the same term (Bloem et al. 2019)."""
