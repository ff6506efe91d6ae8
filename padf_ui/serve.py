"""The app behind its door, as `streamlit run padf_ui/serve.py` or any ASGI server runs it."""

import streamlit as st
from starlette.middleware import Middleware

from padf_core.app import app_folder
from padf_core.data import guarded
from padf_ui.door import Door
from padf_ui.shared.faults import tell_fault

guarded.start()
app = st.App(
    app_folder() / "app.py",
    middleware=[Middleware(Door)],
    on_script_error=tell_fault,
)
