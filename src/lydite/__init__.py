"""Lydite."""
