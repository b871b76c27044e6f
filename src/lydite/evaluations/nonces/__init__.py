"""New words from a few sentences: definitions and chimeras."""
