"""Words shaped by what their heads and dependents prefer (Erk & Padó 2008)."""
