"""Groups of sentences that mean the same: read, built from pairs or versions, and cleaned."""
