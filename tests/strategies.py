"""What hypothesis draws from: label series of every shape, and every protocol there is."""

from hypothesis import strategies as st

from padf_core import PROTOCOLS, ExponentialDecay, Settings
from padf_core.metrics.decays import decays_in
from padf_core.metrics.parameters import Choice
from padf_core.metrics.settings import MAX_LANES


def numbers(number):
    """Values of a number: the slider's steps, and anything between them."""
    between = st.floats(number.steps[0], number.steps[-1], allow_subnormal=False)
    return st.one_of(
        st.sampled_from(number.steps),
        between.map(lambda value: round(value, 3)).filter(
            lambda value: not any(low < value < high for low, high in number.gaps)
        ),
    )


@st.composite
def values_of(draw, key, without=()):
    """Values for every parameter of a protocol, from its own description."""
    chosen = {}
    while True:
        waiting = [each for each in PROTOCOLS[key].parameters(chosen) if each.key not in chosen]
        if not waiting:
            return chosen
        each = waiting[0]
        if isinstance(each, Choice):
            options = [option.value for option in each.options if option.value not in without]
            chosen[each.key] = draw(st.sampled_from(options))
        else:
            chosen[each.key] = draw(numbers(each))


FOUR = ("pointwise", "pa", "pa_k", "padf")
"""The paper's protocols; tests that are about them ask for them, whatever else there is."""

by_key = {
    key: values_of(key, without=("clock",)).map(protocol.of) for key, protocol in PROTOCOLS.items()
}
protocols = st.one_of(*by_key.values())
"""All that need no times."""
paper_protocols = st.one_of(*(by_key[key] for key in FOUR)).filter(
    lambda protocol: getattr(protocol, "weight", "points") == "points"
)
"""Under these what is found is what is earned, and PA is the most that can be."""
timed_protocols = values_of("padf", without=("steps", "share")).map(PROTOCOLS["padf"].of)
"""Those whose delays are counted in seconds."""

REFERENCES = [key for key, protocol in PROTOCOLS.items() if protocol.is_reference]
ROOM = MAX_LANES - (len(PROTOCOLS) - len(REFERENCES))
LANE_SETS = [REFERENCES[first : first + ROOM] for first in range(0, len(REFERENCES), ROOM)]
"""Every reference, as many at a time as can be shown."""


@st.composite
def all_settings(draw):
    values = {}
    for key in PROTOCOLS:
        values |= draw(values_of(key))
    lanes = st.lists(st.sampled_from(REFERENCES), unique=True, max_size=ROOM)
    return Settings(draw(lanes), **values)


rates = numbers(ExponentialDecay.number_in("steps"))


def decays_of(measure):
    """Every decay whose delays can be counted like this."""
    return st.one_of(*(st.builds(d, numbers(d.number_in(measure))) for d in decays_in(measure)))


decays = decays_of("steps")


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
