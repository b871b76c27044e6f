"""What every reader stands on: lines, tables, compression, archives, CoNLL-U, arrays."""
