"""The app with its middleware, for `streamlit run padf_ui/server/serve.py` or an ASGI server."""

from importlib import import_module
from pkgutil import walk_packages

import streamlit as st
from starlette.middleware import Middleware

import padf_ui
from padf_core.cli.app import app_folder
from padf_core.io import sandbox
from padf_ui.server import middleware, temporary_folders
from padf_ui.server.collector import collect_in_background
from padf_ui.server.faults import tell_fault
from padf_ui.server.streamlit_runs import keep_runs_whole

temporary_folders.clear()
sandbox.start()
keep_runs_whole()
# Import the whole app before the first visit. Its objects are frozen, so that garbage collections
# skip them.
for module in walk_packages(padf_ui.__path__, "padf_ui."):
    if not module.name.endswith(("__main__", ".serve")):
        import_module(module.name)
collect_in_background(is_early=True)
app = st.App(
    app_folder() / "app.py",
    middleware=[Middleware(middleware.Middleware)],
    on_script_error=tell_fault,
)
