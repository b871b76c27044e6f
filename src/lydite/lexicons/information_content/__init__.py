"""Information content: how much is said by naming a concept."""
