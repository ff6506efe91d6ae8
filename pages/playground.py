import streamlit as st

from padf_ui import compute, controls, frame, links
from padf_ui.figures import curves
from padf_ui.lanes import live, rows

board = frame.open_board_page("playground")
with frame.title_row("Playground", "Paint what the detector said, and move the sliders."):
    controls.board_menus(board)
controls.preset_pills(board)
controls.show_message()
controls.show_moral(board)
live.show_board()

settings = board.settings
results = board.evaluations()
mode = controls.mode()
ledger, over, slide, code = controls.sections(
    "below", "Ledger", "F1 over d and K", "Slide the detection", "The same in Python"
)

if ledger.open:
    with ledger:
        st.markdown("What each segment earned: the credit is the mean over its points.")
        controls.show_table(compute.ledger(board, results), compute.credit_columns(board))
        st.markdown("What the scores are made of:")
        controls.show_table(
            compute.scores(results),
            ["eTP", "Divided by", "Precision", "Recall", "F1"],
        )

if over.open:
    with over:
        left, right = st.columns(2, gap="large")
        with left:
            curve = compute.over_decay(board)
            parameter = rows.decay_title(settings.shape)
            st.markdown(
                f"**PAdf over the {parameter}.** Area {curve.area:.3f}: the mean F1 over the whole "
                "range, a summary without a choice."
            )
            controls.chart_with_table(
                curves.parameter_curve(curve, results[3], settings.decay, parameter, mode),
                controls.curve_table(parameter, curve.values, F1=curve.f1),
                "over_decay",
            )
        with right:
            curve = compute.over_k(board)
            st.markdown(
                f"**PA%K over K.** Area {curve.area:.3f}: from PA at K = 0 down to point-wise at "
                "K = 100."
            )
            controls.chart_with_table(
                curves.parameter_curve(curve, results[2], settings.k, "K, in %", mode),
                controls.curve_table("K, in %", curve.values, F1=curve.f1),
                "over_k",
            )

if slide.open:
    with slide:
        st.markdown(
            "All alarms moved earlier or later, as one: where does each protocol begin to pay, and "
            "which of them notices that the alarm comes later?"
        )
        shifts, slid = compute.over_shift(board)
        controls.chart_with_table(
            curves.shift_curves(slid, settings.protocols(), controls.step_name(board), mode),
            controls.curve_table(
                "moved by",
                shifts,
                **{p.label: c.f1 for p, c in zip(settings.protocols(), slid, strict=True)},
            ),
            "over_shift",
        )

if code.open:
    with code:
        st.markdown("The lines that give the numbers on the board, with `pip install .`")
        st.code(links.to_python(board), language="python", wrap_lines=True)
