"""Arrays in, numbers out: correlations, intervals, tests and baselines.

Nothing here knows of words or models. Everything random takes a seed, and the same seed gives
the same bits whatever the size of the blocks that the work is cut into.
"""
