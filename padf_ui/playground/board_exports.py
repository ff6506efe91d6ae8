"""Board exports: CSV and Python code."""

from __future__ import annotations

import csv
import io

from padf_core import Settings
from padf_core.io.notation import format_bits
from padf_ui.components.python_code import python_protocols
from padf_ui.session.board_file import Board, earned_credit


def to_csv(board: Board, settings: Settings) -> str:
    """Return one row per point with label, detection and the credit under each protocol."""
    results = board.evaluations(settings)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["time", "label", "detection", *(f"credit_{e.protocol.key}" for e in results)])
    columns = [earned_credit(e) for e in results]
    for t in range(board.size):
        writer.writerow(
            [t, int(board.labels[t]), int(board.detections[t]), *(c[t] for c in columns)]
        )
    return out.getvalue()


def to_python(board: Board, settings: Settings) -> str:
    """Return Python code that reproduces the numbers on the board."""
    times = f", times={board.clock_step:g}" if settings["measure"] == "clock" else ""
    return f'''import padf

labels = [int(bit) for bit in "{format_bits(board.labels)}"]
alarms = [int(bit) for bit in "{format_bits(board.detections)}"]
{python_protocols(settings)}
for e in padf.evaluate_all(labels, alarms, protocols{times}):
    print(f"{{e.protocol.label}}: precision {{e.precision:.3f}}, "
          f"recall {{e.recall:.3f}}, F1 {{e.f1:.3f}}")
'''
