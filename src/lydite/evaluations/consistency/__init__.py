"""Consistency: whether a term learnt twice from one text is the same term (Bloem et al. 2019)."""
