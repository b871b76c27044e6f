"""GloVe: word vectors whose products are the logarithms of co-occurrence counts."""
