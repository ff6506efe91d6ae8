"""Draw the critical-difference diagram: mean ranks on a line, with bars for similar detectors."""

from __future__ import annotations

from html import escape
from math import ceil

from padf_core.corpus.ranking import FRIEDMAN_NULL, WILCOXON_NULL, Ranking

WIDTH, MARGIN, ROW, TOP, LINE = 760, 210, 22, 64, 16
MOST_TICKS = 15
INK, FAINT = "#1F2937", "#9CA3AF"


def critical_difference_svg(ranking: Ranking, title: str) -> str:
    """Draw mean ranks, best on the left; bars join detectors without significant differences."""
    order = ranking.best_first
    count = len(order)
    bars = ranking.groups
    begin = TOP + 16 + 10 * len(bars)
    below = [caption(ranking), *null_hypotheses()]
    height = begin + ROW * ceil(count / 2) + 18 + LINE * len(below)

    def place(rank: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * (rank - 1) / max(1, count - 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" font-family="sans-serif" font-size="12" '
        f'fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#FFFFFF"/>',
        f'<text x="{WIDTH / 2}" y="18" text-anchor="middle" font-weight="bold">'
        f"{escape(title)}</text>",
        _line(place(1), TOP, place(count), TOP),
    ]
    for tick in range(1, count + 1, max(1, count // MOST_TICKS)):
        parts.append(_line(place(tick), TOP - 5, place(tick), TOP))
        parts.append(
            f'<text x="{place(tick):.1f}" y="{TOP - 9}" text-anchor="middle">{tick}</text>'
        )
    for level, group in enumerate(bars):
        ends = [place(ranking.mean_ranks[name]) for name in (group[0], group[-1])]
        bar = TOP + 12 + 10 * level
        parts.append(_line(ends[0] - 3, bar, ends[1] + 3, bar, width=4))
    for at, name in enumerate(order):
        rank = ranking.mean_ranks[name]
        is_left = at < ceil(count / 2)
        row = at if is_left else count - 1 - at
        y = begin + ROW * row
        side = MARGIN - 14 if is_left else WIDTH - MARGIN + 14
        anchor = "end" if is_left else "start"
        parts.append(
            f'<polyline points="{place(rank):.1f},{TOP} {place(rank):.1f},{y} {side},{y}" '
            f'fill="none" stroke="{FAINT}"/>'
        )
        text = f"{name} {rank:.2f}" if is_left else f"{rank:.2f} {name}"
        shift = -5 if is_left else 5
        parts.append(
            f'<text x="{side + shift}" y="{y + 4}" text-anchor="{anchor}">{escape(text)}</text>'
        )
    for at, line in enumerate(below):
        y = height - 10 - LINE * (len(below) - 1 - at)
        parts.append(
            f'<text x="{WIDTH / 2}" y="{y}" text-anchor="middle" fill="#4B5563">'
            f"{escape(line)}</text>"
        )
    return "\n".join(parts) + "\n</svg>\n"


def caption(ranking: Ranking) -> str:
    """Return a caption that states the data and the tests."""
    return (
        f"mean rank over {len(ranking.series)} series, 1 is best; {friedman_text(ranking)}; bars: "
        "no significant difference (Wilcoxon, Holm, 5 %)"
    )


def null_hypotheses() -> list[str]:
    """Return the null hypotheses of the tests as sentences."""
    return [
        f"Null hypothesis of Friedman's test: {FRIEDMAN_NULL}.",
        f"Of Wilcoxon's: {WILCOXON_NULL}. Both assume independent series.",
    ]


def friedman_text(ranking: Ranking) -> str:
    """Format the result of the test over all detectors."""
    if not ranking.is_tested:
        return "not tested: at least two detectors and two series are needed"
    test = ranking.friedman
    return f"Friedman test (Iman-Davenport) F = {test.f:.1f}, {p_text(test.p)}"


def pairs_text(ranking: Ranking) -> str:
    """Return how many pairs of detectors differ, as text."""
    if not ranking.differs:
        return "no significant difference between the detectors"
    apart = sum(pair.is_told_apart for pair in ranking.pairs)
    return (
        f"{apart} of {len(ranking.pairs)} pairs differ significantly (Wilcoxon signed-rank test, "
        "Holm's correction, 5 %)"
    )


def p_text(p: float) -> str:
    """Format a p-value.

    >>> p_text(0.0321), p_text(1e-9)
    ('p = 0.032', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"


def _line(x1: float, y1: float, x2: float, y2: float, width: float = 1) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{INK}" '
        f'stroke-width="{width}"/>'
    )
