"""Slow simulations that the claims of the documentation rest on: coverage of intervals, seeds.

``python -m studies coverage`` and ``python -m studies seeds`` renew the stored results beside this
file; ``docs/generate.py`` writes them into the pages.
"""
