"""Lanes: rows computed by padf_core, and the components that show them live."""
