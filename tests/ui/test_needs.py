"""A need as a sentence: what is sent for every step of its numbers, and what is taken from it."""

from contextlib import suppress
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from padf_core import Settings
from padf_core.analysis.choosing import SHAPES, Need, need_of, retyped
from padf_core.metrics.clock import parse_duration
from padf_ui.components.need_message import DELAYS, need_rows, slots_of
from padf_ui.session.asks import NEED_KEY, RACE_KEY, answered
from padf_ui.session.need import current_need, need_refused, set_need, take_need, take_race
from padf_ui.session.settings import current_settings, set_settings
from tests.ui.test_state import Visit, visit  # noqa: F401
from tests.ui.unpacked import unpack

KINDS = ["worth", "half_life", "loss", "deadline"]


def rows_of(need, step=60.0):
    return need_rows(need, step, "s", 0)


def number_in(rows, key):
    return next(number for number in rows["numbers"] if number["key"] == key)


def worth(kind, share, x):
    """The definition of each kind, x being the delay behind the grace over the need's seconds."""
    if kind == "worth":
        return share**x
    if kind == "half_life":
        return 0.5**x
    if kind == "loss":
        return max(0.0, 1 - x)
    return 1.0 if x <= 1 else 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_the_curve_of_every_share_is_the_decay_by_its_definition(kind):
    rows = rows_of(Need(kind, 600, 0.3, 120))
    shares = number_in(rows, "share")["steps"] if kind == "worth" else [0.3]
    assert rows["delays"] == DELAYS.tolist()
    assert len(rows["credit"]) == len(shares)
    for share, row, star in zip(shares, rows["credit"], rows["stars"], strict=True):
        for x, credit in zip(rows["delays"], row, strict=True):
            assert credit == pytest.approx(1000 * worth(kind, share, x), abs=0.5001)
        assert star == round(1000 * worth(kind, share, 1.0))
    for share, reach in zip(shares, rows["reaches"], strict=True):
        # So many seconds of a need of one second are half of its worth, or all of it.
        left = 0.5 if kind in ("worth", "half_life") else worth(kind, share, 1.0)
        assert worth(kind, share, reach) == pytest.approx(left)


def test_everything_is_said_for_every_step():
    need = Need("worth", 600, 0.5, 120)
    rows = rows_of(need, 300.0)
    times, shares = number_in(rows, "seconds")["steps"], number_in(rows, "share")["steps"]
    said = unpack(rows["said"])
    assert len(said) == len(times) * len(shares)
    at = times.index(1800) * len(shares) + shares.index(0.25)
    # A quarter after 30 min: half after 15 min, and 0.25 ** (1 / 6) = 0.7937 for five minutes.
    assert said[at] == (
        "D(t) = 0.25^(t/1800 s), d = 0.7937 for each step of 5 min. "
        "In other words: credit halves every 15 min."
    )
    # A twentieth after an hour: log2(20) = 4.3219 half-lives, of 13.9 min each.
    text = said[times.index(3600) * len(shares) + shares.index(0.05)]
    assert text.endswith("credit halves every 13.9 min.")
    graces = number_in(rows, "grace")["steps"]
    assert rows["begins"][0] == "Times are measured from the onset."
    assert rows["begins"][graces.index(120)].startswith("Decay begins 2 min after the onset")


@given(st.sampled_from(KINDS), st.floats(1e-6, 1e10), st.floats(0.001, 0.999), st.floats(0, 1e10))
@settings(max_examples=30)
def test_every_need_has_its_place_among_the_steps(kind, seconds, share, grace):
    need = Need(kind, seconds, share, grace)
    rows = rows_of(need, None)
    for number in rows["numbers"]:
        assert number["steps"][number["at"]] == getattr(need, number["key"])
        assert number["steps"] == sorted(number["steps"])
    texts = [slot["texts"][number_in(rows, slot["moves"])["at"]] for slot in rows["slots"]]
    assert texts == list(slots_of(need).values())
    assert len(rows["parts"]) == len(rows["slots"]) + 1
    lengths = [axis["last"] for axis in rows["axes"]]
    assert lengths == sorted(lengths)
    assert lengths[-1] >= 1.8 * min(seconds + grace, 2.5e9)
    assert "d = " not in "".join(unpack(rows["said"]))


def test_a_loss_is_told_by_its_pace_which_falls_while_the_time_rises():
    rows = rows_of(Need("loss", 3600))
    pace = next(slot for slot in rows["slots"] if slot["number"] == "pace")
    assert (pace["moves"], pace["turned"]) == ("seconds", True)
    times = number_in(rows, "seconds")["steps"]
    # All is gone after an hour: a sixtieth a minute; after a day: a 24th an hour.
    assert pace["texts"][times.index(3600)] == "1.667 % a minute"
    assert pace["texts"][times.index(86400)] == "4.167 % an hour"


@pytest.mark.parametrize(
    ("number", "text", "wanted"),
    [
        ("seconds", "12", Need(seconds=720)),  # in minutes, as ten minutes are written
        ("seconds", "90 s", Need(seconds=90)),
        ("seconds", "1 h 30 min", Need(seconds=5400)),
        ("grace", "2", Need(grace=120)),
        ("share", "12,5 %", Need(share=0.125)),
        ("pace", "2 % a minute", Need(seconds=3000)),
        ("pace", "5 per hour", Need(seconds=72000)),
        ("pace", "100 of 6000 a minute", Need(seconds=3600)),
    ],
)
def test_numbers_are_read_as_they_are_typed(number, text, wanted):
    assert retyped(Need(), number, text) == wanted


@pytest.mark.parametrize(
    ("number", "text", "said"),
    [
        ("seconds", "soon", "'soon' is not a duration"),
        ("seconds", "", "'' is not a duration"),
        ("seconds", "1 h 30", "is not a duration"),
        ("seconds", "5 parsecs", "is not a duration"),
        ("seconds", "99999999 d", "from a microsecond to 300 years"),
        ("share", "most", "'most' is not a share"),
        ("share", "120", "share must be above 0 and below 1"),
        ("share", "nan", "share must be"),
        ("pace", "fast", "is not a rate of loss"),
        ("pace", "0 % a minute", "above 0"),
        ("kind", "loss", "number must be"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(number, text, said):
    with pytest.raises(ValueError, match=said.replace("(", "\\(")):
        retyped(Need(), number, text)


@given(st.text(max_size=12))
def test_whatever_is_typed_is_a_time_or_refused(text):
    with suppress(ValueError):
        assert 0 <= parse_duration(text, 60) < inf


# ---- the session ---------------------------------------------------------------------------------


def test_dragged_and_typed_numbers_are_taken(visit):  # noqa: F811
    asked = visit.ask(NEED_KEY, take_need, numbers={"seconds": 1200, "share": 0.3})
    assert current_need() == Need("worth", 1200, 0.3)
    assert answered(NEED_KEY) == asked
    visit.ask(NEED_KEY, take_need, typed={"number": "grace", "text": "90 s"})
    assert current_need() == Need("worth", 1200, 0.3, 90)
    assert current_settings()["measure"] == "steps", "nothing is in use until somebody says so"


@pytest.mark.parametrize(
    "ask",
    [
        {"numbers": {"share": 2}},
        {"numbers": {"share": 1e-9}},
        {"numbers": {"seconds": -1}},
        {"typed": {"number": "seconds", "text": "soon"}},
    ],
)
def test_a_need_that_cannot_be_is_answered_with_its_reason(visit, ask):  # noqa: F811
    number = visit.ask(NEED_KEY, take_need, **ask)
    assert answered(NEED_KEY) == number
    assert current_need() == Need()
    assert need_refused()
    visit.ask(NEED_KEY, take_need, numbers={"seconds": 60})
    assert need_refused() == ""


@pytest.mark.parametrize(
    ("need", "seconds"),
    [
        (Need("worth", 600, 0.25), 14400),  # a quarter is two half-lives
        (Need("half_life", 600), 7200),
        (Need("loss", 600), 7200),
        (Need("deadline", 600), 7200),
    ],
)
def test_a_place_in_the_race_becomes_the_need(visit, need, seconds):  # noqa: F811
    set_need(need)
    visit.ask(RACE_KEY, take_race, number=7200)
    assert current_need() == need.moved(seconds=seconds)
    visit.ask(RACE_KEY, take_race, number=-3)
    assert current_need() == need.moved(seconds=seconds)
    assert "from a microsecond" in need_refused()


@pytest.mark.parametrize("shape", SHAPES.values())
def test_every_shape_of_a_need_is_a_need_on_the_clock(shape):
    chosen = Settings(measure="clock", shape=shape)
    assert chosen.replace(**need_of(chosen).values) == chosen


def test_a_need_chosen_elsewhere_is_a_newer_word(visit):  # noqa: F811
    set_need(Need("deadline", 60))
    set_settings(k=40)
    assert current_need() == Need("deadline", 60), "other settings say nothing about the need"
    set_settings(**Need("half_life", 300).values)
    assert current_need() == Need("half_life", 300)
    set_need(Need("loss", 900))
    assert current_need() == Need("loss", 900)
