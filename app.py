"""PAdf Explorer: how evaluation protocols change an anomaly detector's score."""

from padf_ui import frame

frame.run_app()
