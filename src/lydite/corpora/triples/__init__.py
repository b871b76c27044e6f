"""How often which word depends on which by which relation, counted within bounded memory."""
