"""Words by the words that are related like they are (Thater, Fürstenau & Pinkal 2010)."""
