"""Benchmarks beside what a user would take instead: ``python -m benchmarks``."""
