"""What every page uses: tables, charts, escaping, the look, sliders, lanes and caches."""
