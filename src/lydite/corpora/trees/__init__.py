"""Binary trees over the words of sentences."""
