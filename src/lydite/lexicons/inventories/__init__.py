"""Query inventories: triples of a taxonomy that a model can be asked."""
