"""Subsumption preservation: whether what lies between is closer than what lies beyond."""
