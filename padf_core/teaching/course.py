"""The lessons that come with the app."""

from __future__ import annotations

from padf_core.teaching.lessons import Lesson, Question, Step

_INCIDENT = "12-23"

COURSE = Lesson(
    "Why do the same detections score 0.22, 0.93 and 0.88?",
    (
        Step(
            "Three scores for the same alarms",
            "A pump is monitored. Each cell is five minutes. The dark cells show when something "
            "was wrong: one **segment**. A detector raised two **alarms**. An alarm inside the "
            "segment is a **hit**; outside, a **false alarm**. Three **protocols** score these "
            "two alarms 0.22, 0.93 and 0.88. Which score is right? The next steps explain them "
            "one by one. Paint other alarms in the Detections lane and watch the scores.",
            size=30,
            truth="12-18",
            alarms="5, 13",
            lanes=("pointwise", "pa", "padf"),
            name="Three scores",
        ),
        Step(
            "Counting cells",
            "The simplest way to score: every point is scored on its own. **Precision** is the "
            "share of flagged points that are right. **Recall** is the share of anomalous points "
            "that are found. **F1** is high only if both are high.",
            truth=_INCIDENT,
            alarms="6, 15-17",
            lanes=("pointwise",),
            formula=True,
            question=Question(
                "Three of twelve points have an alarm, and one alarm is false. What is F1?",
                ("0.750", "0.375", "0.250", "0.500"),
                1,
                "Precision is 3/4 and recall 3/12, so F1 = 2 · 0.75 · 0.25 / (0.75 + 0.25) = 0.375.",
                ("precision alone", "", "recall alone", "the plain mean of precision and recall"),
            ),
            name="Point-wise",
        ),
        Step(
            "Point adjustment",
            "One alarm per incident is enough: the first one calls the operator. **Point "
            "adjustment** (PA) therefore fills the whole segment as soon as it has one hit. Watch "
            "the fill spread from the hit.",
            truth=_INCIDENT,
            alarms="6, 15",
            lanes=("pointwise", "pa"),
            spread=True,
            formula=True,
            question=Question(
                "One hit and one false alarm. What is F1 under PA?",
                ("0.154", "0.500", "0.960", "1.000"),
                2,
                "All twelve points count as found: precision 12/13, recall 1, F1 = 24/25 = 0.960. "
                "Point-wise has 2/14 = 0.143.",
                (
                    "point-wise F1 without the false alarm",
                    "the share of alarms that are right",
                    "",
                    "F1 without the false alarm",
                ),
            ),
            name="PA",
        ),
        Step(
            "One alarm, at the last minute",
            "Now there is no false alarm, and the only alarm comes at the very last point of the "
            "incident, 55 minutes after it began. Move it with the Earlier and Later buttons and "
            "watch PA.",
            truth=_INCIDENT,
            alarms="23",
            lanes=("pointwise", "pa"),
            question=Question(
                "What does PA give an alarm at the last minute?",
                ("0.083", "0.154", "0.500", "1.000"),
                3,
                "PA ignores when the hit came: 1.000 with no delay, and 1.000 when 55 minutes "
                "late. This lesson is about that flaw.",
                (
                    "point-wise recall",
                    "point-wise F1",
                    "half of the credit, but PA gives no half credit",
                    "",
                ),
            ),
            name="Too late?",
        ),
        Step(
            "Careful, or random?",
            "Two long incidents. A careful detector finds the first with no delay, misses the "
            "second and raises no false alarm. Compare it with a detector that raises alarms at "
            "random. A long segment is easy to hit at random, and under PA one hit earns all of "
            "it. Press Random alarms to try again.",
            size=160,
            truth="20-59, 90-139",
            alarms="20-31",
            lanes=("pointwise", "pa"),
            tools=("undo", "redo", "random"),
            part="random",
            unit="step",
            question=Question(
                "Who scores higher under PA?",
                ("the careful detector", "random alarms, most of the time"),
                1,
                "The careful detector finds 40 of 90 points and has F1 = 80/130 = 0.615 under "
                "PA. Most random detectors hit both incidents, and so find all 90 points.",
            ),
            name="Random",
        ),
        Step(
            "PA%K, and what it misses",
            "**PA%K** is stricter: a segment counts in full only if more than K percent of its "
            "points are flagged. That stops random hits in long segments. But PA%K still ignores "
            "when the alarms came. Here only the second half of the hour is flagged. Move K.",
            truth=_INCIDENT,
            alarms="18-23",
            lanes=("pointwise", "pa", "pa_k"),
            sliders=("k",),
            question=Question(
                "With K = 20: which scores higher under PA%K?",
                ("one alarm, no delay", "six alarms, the first half an hour late"),
                1,
                "Six of twelve points are 50 percent, so the whole segment counts and F1 is "
                "1.000. One prompt alarm is 8 percent, so F1 stays at 2/13 = 0.154.",
            ),
            name="PA%K",
        ),
        Step(
            "PAdf: a late alarm earns less",
            "**PAdf** fills the segment like PA, but only up to the **credit** D(k) = d^k for a "
            "first hit k steps late. The curve over the lane is D, and the dot marks the delay. "
            "Below, draw how you think F1 falls as the alarm comes later. Then compare.",
            truth=_INCIDENT,
            alarms="18",
            lanes=("pointwise", "pa", "padf"),
            sliders=("decay",),
            worth=True,
            formula=True,
            part="guess",
            name="PAdf",
        ),
        Step(
            "Rank them yourself",
            "The paper's five detectors, on one anomaly of seven points. Which deserves the best "
            "score? Rank them yourself first, then see how each protocol ranks them.",
            size=30,
            truth="12-18",
            alarms="5, 13",
            lanes=("pointwise",),
            dim=("pointwise",),
            numbers=False,
            tools=(),
            paint=(),
            part="rank",
            unit="step",
            name="Your ranking",
        ),
        Step(
            "Choosing d, and where PAdf misleads",
            "Choose d from what your users need: how late may an alarm be before it has lost "
            "half its worth? PAdf also trusts the **labels**. In many data sets the labelled "
            "window begins long before anything can be seen. Here the fault starts at 1:30, but "
            "the window at 0:40, so the best possible alarm counts as ten steps late. Repaint "
            "the truth so that it begins with the fault.",
            truth="8-27",
            alarms="18",
            paint=("truth", "detections"),
            sliders=("decay", "k"),
            worth=True,
            question=Question(
                "An alarm at the true onset, ten steps into the window, with d = 0.9. Its credit?",
                ("1.00", "0.90", "0.35", "0.00"),
                2,
                "0.9 to the power of 10 is 0.349. For this reason a random detector ranks first "
                "among fifteen under PAdf 0.9 on the Numenta benchmark, using its label windows "
                "as published.",
                (
                    "the credit of an alarm with no delay",
                    "the credit of an alarm one step late",
                    "",
                    "no credit, but PAdf gives some credit to every hit",
                ),
            ),
            name="Choose d",
        ),
    ),
)

OPERATORS = Lesson(
    "What is a late alarm worth?",
    (
        Step(
            "An incident, and an alarm",
            "Each cell is five minutes. The dark cells show an hour in which something was "
            "wrong. The alarm came half an hour after it began. Move it with the Earlier and "
            "Later buttons. What would it have been worth?",
            truth=_INCIDENT,
            alarms="18",
            lanes=("padf",),
            sliders=("decay",),
            worth=True,
            name="Incident",
        ),
        Step(
            "What the usual score says",
            "The usual score (PA) gives full marks for one alarm, whenever it comes. Move the "
            "alarm from the first minute to the last: the upper number never changes.",
            truth=_INCIDENT,
            alarms="23",
            lanes=("pa", "padf"),
            sliders=("decay",),
            worth=True,
            question=Question(
                "The alarm comes in the last five minutes. Which score is still 1.000?",
                ("PA", "PAdf"),
                0,
                "PA only checks whether there was an alarm. PAdf also checks how late it was.",
            ),
            name="Usual score",
        ),
        Step(
            "Crying wolf",
            "One alarm with no delay, and four false calls. Both scores fall, because false "
            "calls cost trust. Remove them one by one.",
            truth=_INCIDENT,
            alarms="2, 5, 12, 29, 34",
            lanes=("pa", "padf"),
            sliders=("decay",),
            name="False calls",
        ),
    ),
)

LESSONS: dict[str, Lesson] = {"course": COURSE, "operators": OPERATORS}
"""The lessons by their names in links."""
