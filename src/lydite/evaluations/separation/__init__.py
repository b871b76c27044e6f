"""Separation (Cheung & Penn 2012): whether one meaning is recognized under many forms."""
