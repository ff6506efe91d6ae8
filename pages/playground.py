import streamlit as st

from padf_ui import compute, controls, frame, links
from padf_ui.figures import curves
from padf_ui.lanes import live

board = frame.open_board_page("playground")
with frame.title_row("Playground", "Paint what the detector said, and move the sliders."):
    controls.board_menus(board)
controls.preset_pills(board)
controls.show_message()
controls.show_moral(board)
live.show_board()

settings = board.settings
pointwise, pa, pa_k, padf = settings.protocols()
mode = controls.mode()

st.subheader("Ledger", anchor=False)
st.markdown("What each segment earned: the credit is the mean over its points.")
st.dataframe(
    compute.ledger(board),
    hide_index=True,
    width="stretch",
    column_config=controls.three_decimals(compute.credit_columns(board)),
)
st.dataframe(
    compute.scores(board.evaluations()),
    hide_index=True,
    width="stretch",
    column_config=controls.three_decimals(["eTP", "Divided by", "Precision", "Recall", "F1"]),
)

left, right = st.columns(2, gap="large")
with left:
    over_decay = compute.over_decay(board)
    parameter = controls.decay_title(settings)
    st.subheader(f"PAdf over the {parameter}", anchor=False)
    st.markdown(
        f"Area {over_decay.area:.3f}: the mean F1 over the whole range, a summary without a choice."
    )
    controls.chart_with_table(
        curves.parameter_curve(over_decay, padf, settings.decay, parameter, mode),
        controls.curve_table(parameter, over_decay.values, F1=over_decay.f1),
        "over_decay",
    )
with right:
    over_k = compute.over_k(board)
    st.subheader("PA%K over K", anchor=False)
    st.markdown(f"Area {over_k.area:.3f}: from PA at K = 0 down to point-wise at K = 100.")
    controls.chart_with_table(
        curves.parameter_curve(over_k, pa_k, settings.k, "K, in %", mode),
        controls.curve_table("K, in %", over_k.values, F1=over_k.f1),
        "over_k",
    )

st.subheader("Slide the detection", anchor=False)
st.markdown(
    "All alarms moved earlier or later, as one: where does each protocol begin to pay, and which "
    "of them notices that the alarm comes later?"
)
shifts, slid = compute.over_shift(board)
controls.chart_with_table(
    curves.shift_curves(slid, settings.protocols(), mode),
    controls.curve_table(
        "moved by",
        shifts,
        **{p.label: c.f1 for p, c in zip(settings.protocols(), slid, strict=True)},
    ),
    "over_shift",
)

st.subheader("The same in Python", anchor=False)
st.code(links.to_python(board), language="python", wrap_lines=True)
