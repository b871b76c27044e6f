"""Many spaces from one corpus: families of models x dimensions x windows, retrofitted or not."""
