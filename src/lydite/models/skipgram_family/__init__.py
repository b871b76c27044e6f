"""Skip-gram, CBOW and those of their relatives that know where a context word stands."""
