"""Reports: results made readable, on the terminal, in papers and as one HTML page."""
