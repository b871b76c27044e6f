"""Evaluations: questions asked of a model with a resource, one a file."""
