"""The Playground: a board to draw on."""
