"""Choose a decay rate: results, widgets and charts."""
