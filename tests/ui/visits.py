"""Visits to the app without a browser."""

from functools import cache

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from padf_ui.registry import PAGES
from padf_ui.server import collector
from tests.browser.server import ROOT

# Streamlit looks through all installed packages for components, 0.1 s for each visit.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

# A test process holds more objects than a server: collecting them takes a second of every thirty.
collector.EVERY_SECONDS = 86_400.0


def visit(page=None, **query):
    """Open a page by a link. Without a page: the start page, or a link from before pages."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if page is not None:
        app.run().switch_page(PAGES[page].script)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()
