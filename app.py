"""PAdf Explorer: what evaluation protocols do to an anomaly detector's score."""

from padf_ui import frame

frame.run_app()
