"""Texts whose meanings should be told apart: labelled pairs, relations of entities, questions."""
