"""What hypothesis draws from: label series of every shape, and every protocol there is."""

from hypothesis import strategies as st

from padf_core import (
    DeadlineDecay,
    ExponentialDecay,
    HalfLifeDecay,
    LinearDecay,
    PointAdjust,
    PointAdjustDecay,
    PointAdjustK,
    Pointwise,
)

rates = st.one_of(
    st.sampled_from([0.01, 0.5, 0.7, 0.9, 0.99, 1.0]),
    st.floats(0.01, 1.0, allow_subnormal=False),
)
percentages = st.one_of(
    st.sampled_from([0, 20, 29, 50, 99, 100]),
    st.integers(0, 100),
    st.sampled_from([12.5, 33.3, 66.7, 1.1, 99.9]),
)
decays = st.one_of(
    st.builds(ExponentialDecay, rates),
    st.builds(HalfLifeDecay, st.floats(0.5, 50)),
    st.builds(LinearDecay, st.floats(0.5, 50)),
    st.builds(DeadlineDecay, st.integers(0, 20)),
)
by_key = {
    "pointwise": st.just(Pointwise()),
    "pa": st.just(PointAdjust()),
    "pa_k": st.builds(PointAdjustK, percentages, st.booleans()),
    "padf": st.builds(PointAdjustDecay, decays, st.sampled_from(["tables", "equations"])),
}
protocols = st.one_of(*by_key.values())


@st.composite
def label_lists(draw, max_size=40):
    """Runs of 0 and 1: one-point segments, segments at both ends, all normal, all anomalous."""
    runs = draw(st.lists(st.integers(1, 9), min_size=1, max_size=8))
    first = draw(st.integers(0, 1))
    labels = [(first + i) % 2 for i, length in enumerate(runs) for _ in range(length)]
    return labels[:max_size]


@st.composite
def patterns(draw, max_size=40):
    """(labels, detections); often with few or no detections."""
    labels = draw(label_lists(max_size))
    bit = draw(st.sampled_from([st.just(0), st.just(1), st.integers(0, 1), rare_ones]))
    return labels, draw(st.lists(bit, min_size=len(labels), max_size=len(labels)))


rare_ones = st.integers(0, 7).map(lambda x: int(x == 7))


@st.composite
def scored(draw, max_size=30):
    """(labels, scores); often with many ties, sometimes with infinite scores."""
    labels = draw(label_lists(max_size))
    value = draw(
        st.sampled_from(
            [
                st.integers(0, 3),
                st.integers(-5, 50),
                st.floats(allow_nan=False),
                st.sampled_from([float("-inf"), -1.5, 0.0, 0.25, float("inf")]),
            ]
        )
    )
    return labels, draw(st.lists(value, min_size=len(labels), max_size=len(labels)))
