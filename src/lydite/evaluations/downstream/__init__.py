"""Downstream tasks: what frozen vectors are worth as features of a classifier."""
