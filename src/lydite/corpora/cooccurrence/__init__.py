"""Which words stand near which in a corpus, counted on all cores within bounded memory."""
