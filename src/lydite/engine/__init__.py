"""Engines: where the jobs of a run are carried out."""
