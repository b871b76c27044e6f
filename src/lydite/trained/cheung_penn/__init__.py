"""The models of Cheung & Penn (2012)."""
