"""A plugin of Lydite: a model, an evaluation and a resource, and an entry point that is broken."""
