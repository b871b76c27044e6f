"""Separation (Cheung & Penn 2012): whether one meaning is recognised under many forms."""
