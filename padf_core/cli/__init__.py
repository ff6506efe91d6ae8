"""The `padf` command: evaluate, corpus and app."""
