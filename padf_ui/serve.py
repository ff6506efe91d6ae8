"""The app behind its door, as `streamlit run padf_ui/serve.py` or any ASGI server runs it."""

import streamlit as st
from starlette.middleware import Middleware

from padf_core.app import app_folder
from padf_core.data import guarded
from padf_ui.door import Door
from padf_ui.shared import (
    components,  # noqa: F401  what pages share is loaded before anybody comes
    left_behind,
    tables,  # noqa: F401
    widgets,  # noqa: F401
)
from padf_ui.shared.collector import collect_in_background
from padf_ui.shared.faults import tell_fault

left_behind.clear()
guarded.start()
collect_in_background(is_early=True)
app = st.App(
    app_folder() / "app.py",
    middleware=[Middleware(Door)],
    on_script_error=tell_fault,
)
