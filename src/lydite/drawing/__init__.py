"""How anything is shown: figures, tables, sections. It knows no evaluation."""
