"""The start page, lessons, a teacher's own lesson and the quiz, by mouse, touch and keyboard."""

import itertools
import json
import re

import pytest
from playwright.sync_api import expect

import padf_core as padf
from padf_core.teaching.course import COURSE
from padf_core.teaching.lesson_files import lesson_to_text
from padf_core.teaching.lessons import Lesson, Question, Step
from padf_core.teaching.quiz import quiz
from padf_ui.learn.handout import handout_html
from padf_ui.learn.quiz_page import COUNT
from padf_ui.start.start_page import POINTS, START, STOP
from tests.browser.board import Hand
from tests.browser.conftest import CASE_2_BOARD, go_to, visit, wait_until_idle, wait_until_still
from tests.browser.test_board import swipe


def front_scores(*places, rate=0.9):
    labels = [int(START <= t < STOP) for t in range(POINTS)]
    alarms = [int(t in places) for t in range(POINTS)]
    results = padf.evaluate_all(labels, alarms, padf.Settings(decay=rate).protocols())
    return {result.protocol.key: f"{result.f1:.3f}" for result in results}


def shown_scores(page):
    texts = page.locator(".front [data-f1]").evaluate_all(
        "all => all.map(e => [e.dataset.f1, e.textContent])"
    )
    return {key: re.search(r"\d\.\d{3}", text)[0] for key, text in texts}


def test_the_start_page_by_keys_mouse_and_touch(open_page):
    page = open_page("")
    count = {4: "Four", 5: "Five", 6: "Six", 7: "Seven"}[len(front_scores(0))]
    expect(page.get_by_role("heading", level=1)).to_have_text(
        f"One alarm. {count} scores. Which is right?"
    )
    alarm = page.get_by_role("slider", name="alarm time")
    alarm.focus()
    seen = set()
    page.keyboard.press("Home")
    for place in range(POINTS):
        scores = shown_scores(page)
        assert scores == front_scores(place), place
        seen.add(scores["padf"])
        page.keyboard.press("ArrowRight")
    # One value with no delay, then lower and lower to the end of the incident; nothing outside.
    assert len(seen) == STOP - START + 1
    expect(page.locator(".front-said")).to_contain_text("after the incident had ended")
    box = alarm.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 400, y, steps=6)
    page.mouse.up()
    assert shown_scores(page)["pa"] == "1.000"
    expect(page.locator(".front-said")).to_contain_text("No false alarms.")
    for text in ("Learn it (10 minutes)", "For operators (3 minutes)", "Try your data"):
        page.get_by_role("link", name=text).wait_for()
    page.get_by_text("arXiv 2305.09691").wait_for()
    # A card is a link as a whole.
    box = page.get_by_text("Replay an incident minute by minute").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_a_second_alarm_and_another_decay_rate_on_the_start_page(open_page):
    page = open_page("")
    page.get_by_role("button", name="Add a second alarm").click()
    first = page.get_by_role("slider", name="alarm time", exact=True)
    second = page.get_by_role("slider", name="time of the second alarm")
    first.press("End")
    second.press("Home")
    assert shown_scores(page) == front_scores(0, POINTS - 1)
    expect(page.locator(".front-said")).not_to_contain_text("No false alarms.")
    for place in range(1, STOP):
        second.press("ArrowRight")
        assert shown_scores(page) == front_scores(place, POINTS - 1), place
    # Two hits: only the first one counts for PAdf.
    first.press("Home")
    for _ in range(START + 2):
        first.press("ArrowRight")
    assert shown_scores(page) == front_scores(START + 2, STOP - 1)
    rate = page.get_by_role("slider", name="decay rate d")
    rate.press("Home")
    expect(page.locator(".front-note")).to_have_text(
        "d = 0.5: after each 5 min of delay, 50 % of the credit remains"
    )
    assert shown_scores(page) == front_scores(START + 2, STOP - 1, rate=0.5)
    expect(page.locator(".front")).to_contain_text("PAdf (d = 0.5)")
    page.get_by_role("button", name="Remove the second alarm").click()
    assert shown_scores(page) == front_scores(START + 2, rate=0.5)


def test_the_start_page_by_finger(open_page):
    page = open_page("", width=380, height=800, has_touch=True, is_mobile=True)
    alarm = page.get_by_role("slider", name="alarm time")
    alarm.wait_for()
    box = alarm.bounding_box()
    before = shown_scores(page)["padf"]
    y = box["y"] + box["height"] / 2
    swipe(page, (box["x"] + box["width"] / 2, y), (box["x"] - 80, y))
    assert float(shown_scores(page)["padf"]) > float(before)


def test_the_whole_lesson_by_keyboard(open_page):
    page = open_page("learn?lesson=course&step=1")
    for number, step in enumerate(COURSE.steps, start=1):
        page.get_by_role("heading", name=f"{number}. {step.title}").wait_for()
        page.locator(".board").wait_for()
        if step.question:
            # Numbers wait for the answer.
            expect(page.locator(".board .lane-score")).to_have_count(0)
            answer = step.question.answers[step.question.right]
            page.get_by_role("button", name=answer, exact=True).focus()
            page.keyboard.press("Enter")
            page.get_by_text(RIGHT).wait_for()
            expect(page.locator(".board .lane-score")).to_have_count(len(step.lanes))
        if number < len(COURSE.steps):
            page.get_by_role("heading", name=f"{number}. {step.title}").click()
            page.keyboard.press("ArrowRight")
            page.wait_for_url(re.compile(f"step={number + 1}"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile(f"step={len(COURSE.steps) - 1}"))


def test_a_wrong_answer_is_told_and_a_step_opens_in_the_playground(open_page):
    page = open_page("learn?lesson=course&step=4")
    page.get_by_role("button", name="0.083", exact=True).click()
    page.get_by_text(
        "Not quite: the answer is 1.000. You chose 0.083, which is point-wise recall."
    ).wait_for()
    expect(page.locator(".board [data-f1=pa]")).to_have_text("1.000")
    page.locator(".tool[data-tool=earlier]").click()
    expect(page.locator(".board")).to_have_attribute("data-stale", "false")
    expect(page.locator(".board [data-f1=pa]")).to_have_text("1.000")
    page.get_by_role("button", name="Open in the Playground").click()
    page.wait_for_url(re.compile("playground.*alarms=22&"))
    hand = Hand(page)
    assert hand.alarms == "0" * 22 + "1" + "0" * 17


def test_guessing_and_ranking(open_page):
    page = open_page("learn?lesson=course&step=7")
    plot = page.locator(".guess svg").first
    plot.wait_for()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 120, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 60, box["y"] + box["height"] - 70, steps=10)
    page.mouse.up()
    expect(page.locator(".guess")).to_have_attribute("data-stale", "false")
    page.get_by_role("button", name="Show the answer").click()
    # 2D/(1 + D) with D = 0.9^11 at the last point.
    late = 0.9**11
    expect(page.locator(".guess")).to_contain_text(f"{2 * late / (1 + late):.3f}")
    page.goto(page.url.replace("step=7", "step=8"))
    for place, case in zip(("1st", "2nd", "3rd", "4th", "5th"), (4, 3, 2, 5, 1), strict=True):
        page.get_by_role("button", name=re.compile(f"^Case {case} ")).click()
        page.get_by_text(f"you ranked it {place}").wait_for()
    page.get_by_text(re.compile(r"agrees? with you on \d+ of 10 pairs")).wait_for()


def test_presenting_hides_the_frame_over_a_reload_and_escape_leaves(open_page):
    page = open_page("learn?lesson=course&step=2", width=1600)
    page.get_by_role("button", name="Present").click()
    page.wait_for_url(re.compile("present=1"))
    expect(page.locator("[data-testid=stHeader]")).to_be_hidden()
    page.get_by_role("heading", name="2. Counting cells").click()
    page.keyboard.press("PageDown")
    page.wait_for_url(re.compile("step=3&present=1"))
    # A link to a presented lesson is the same as a reload: both begin a session of their own.
    page.reload()
    heading = page.get_by_role("heading", name=f"3. {COURSE.steps[2].title}")
    heading.wait_for()
    expect(page.locator("[data-testid=stHeader]")).to_be_hidden()
    style = page.locator(".stMainBlockContainer").evaluate(
        "e => [getComputedStyle(e).zoom, getComputedStyle(e).paddingTop]"
    )
    # 1.5 rem of 16 pixels: no room is left where the top bar was.
    assert style == ["1.25", "24px"]
    wait_until_idle(page)
    heading.click()
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile("step=3$"))
    page.locator("[data-testid=stHeader]").wait_for()


def test_a_presented_lesson_is_answered_and_revealed_by_keys(open_page):
    page = open_page("learn?lesson=course&step=2&present=1")
    page.get_by_text("Keys: ← → steps, 1 to 6 answer, R show the answer, Esc leave.").wait_for()
    question = COURSE.steps[1].question
    page.keyboard.press("1")
    page.get_by_text(question.verdict(0)).wait_for()
    page.keyboard.press("r")
    page.get_by_text(question.verdict(question.right)).wait_for()
    page.keyboard.press("9")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("step=3"))
    page.get_by_role("heading", name=f"3. {COURSE.steps[2].title}").wait_for()
    page.goto(page.url.replace("step=3", "step=7"))
    page.get_by_text("Draw the curve you expect.").wait_for()
    page.keyboard.press("r")
    # An alarm eleven steps late has the credit 0.9^11, and F1 = 2 D / (1 + D).
    late = 0.9**11
    expect(page.locator(".guess")).to_contain_text(f"{2 * late / (1 + late):.3f}")


def test_a_small_projector_shows_everything_that_a_step_speaks_of(open_page):
    page = open_page("learn?lesson=course&step=1&present=1", width=1280, height=640)
    for number, step in enumerate(COURSE.steps, start=1):
        page.get_by_role("heading", name=f"{number}. {step.title}").wait_for()
        Hand(page)
        all_is_on_screen(page, step)
        page.keyboard.press("PageDown")


def all_is_on_screen(page, step):
    seen = [page.locator(".board .stage"), page.get_by_role("button", name="Next")]
    if step.question:
        seen += [page.get_by_role("button", name=answer) for answer in step.question.answers]
    if step.part == "guess":
        seen += [page.locator(".guess"), page.get_by_role("button", name="Show the answer")]
    if step.part == "rank":
        seen += [page.locator(".patterns"), page.get_by_role("button", name="Case 5")]
    for part in seen:
        box = wait_until_still(part)
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 640, part
    # The board does not scroll sideways: both incidents of the fifth step are there.
    assert page.locator(".board .scroll").evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_steps_have_names_and_a_lesson_ends(open_page):
    page = open_page("learn?lesson=course&step=1")
    for key, score in (("pointwise", "0.222"), ("pa", "0.933"), ("padf", "0.881")):
        expect(page.locator(f".board [data-f1={key}]")).to_have_text(score)
    for number, step in enumerate(COURSE.steps, start=1):
        page.get_by_role("radio", name=f"{number} {step.name}", exact=True).wait_for()
    page.get_by_role("radio", name="9 Choose d").click()
    page.get_by_role("heading", name=f"9. {COURSE.steps[8].title}").wait_for()
    expect(page.get_by_text("You have finished this lesson.")).to_have_count(0)
    page.get_by_role("button", name="0.35", exact=True).click()
    page.get_by_text("You have finished this lesson.").wait_for()
    page.get_by_role("link", name="Test yourself in the quiz").wait_for()
    page.get_by_role("button", name="Lesson for operators").click()
    page.get_by_role("heading", name="1. An incident, and an alarm").wait_for()
    page.wait_for_url(re.compile("lesson=operators&step=1"))
    page.get_by_role("button", name="The whole lesson").click()
    page.get_by_role("heading", name=f"1. {COURSE.steps[0].title}").wait_for()


def test_undo_stays_within_a_step(open_page):
    page = open_page("learn?lesson=course&step=1")
    hand = Hand(page)
    hand.drag(1, 2, 3)
    first = hand.pattern
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="2. Counting cells").wait_for()
    step = COURSE.steps[1]
    wanted = tuple("".join(map(str, map(int, bits))) for bits in (step.labels, step.detections))
    hand.comes_to_show(*wanted)
    assert wanted != first
    expect(page.locator(".tool[data-tool=undo]")).to_be_disabled()
    page.locator(".board .cell:focus, .board .cell").first.focus()
    page.keyboard.press("Control+z")
    hand.settle()
    assert hand.pattern == wanted
    page.get_by_role("button", name="Back", exact=True).click()
    hand.comes_to_show(*first)
    hand.tool("undo")
    step = COURSE.steps[0]
    hand.comes_to_show(
        *("".join(map(str, map(int, bits))) for bits in (step.labels, step.detections))
    )


def fill(page, label, text):
    """Write into a field as a person does, who goes on to the next one without waiting."""
    field = page.get_by_label(re.compile(f"^{re.escape(label)}"))
    field.fill(text)
    field.press("Tab")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    wait_until_idle(page)


def test_a_teacher_writes_a_lesson_and_shares_its_link(open_page):
    page = open_page(CASE_2_BOARD)
    go_to(page, "Learn", "learn")
    page.get_by_role("tab", name="Make your own lesson").click()
    press(page, "New lesson")
    page.get_by_role("heading", name="1. New step").wait_for()
    hand = Hand(page)
    case_2 = ("0" * 12 + "1" * 7 + "0" * 11, "00000100000001" + "0" * 16)
    assert hand.pattern == case_2, "the board of the Playground"
    fill(page, "Title", "My step")
    fill(page, "Text", "Look at **PA** <b>now</b>.")
    press(page, "Add a question")
    fill(page, "Question", "Who is right?")
    fill(page, "Answers, one per line, the right one first", "neither of them\nPA | too kind\nPAdf")
    fill(page, "Explanation of the right answer", "It depends.")
    # The step above is the preview: it asks the question.
    press(page, "PA")
    page.get_by_text(
        "Not quite: the answer is neither of them. You chose PA, which is too kind."
    ).wait_for()
    page.get_by_role("tab", name="Share and download").click()
    press(page, "Embed it, or link to it")
    link = page.locator("code", has_text="step=1").inner_text()
    other = open_page(link.split("/", 3)[3])
    other.get_by_role("heading", name="1. My step").wait_for()
    other.get_by_text("<b>now</b>").wait_for()
    assert Hand(other).pattern == case_2
    term = other.locator(".padf-term", has_text="PA")
    assert "one hit anywhere" in term.get_attribute("data-meaning")


def names(page):
    """The names of the steps, in order."""
    return page.get_by_role("radiogroup", name="Step").get_by_role("radio")


def test_steps_of_a_lesson_are_copied_moved_and_deleted_and_a_reload_keeps_them(open_page):
    page = open_page("learn?lesson=operators&step=1", own_tab=True)
    page.get_by_role("tab", name="Make your own lesson").click()
    press(page, "Copy of this lesson")
    kept = names(page).all_inner_texts()
    first, *rest = (name.split(" ", 1)[1] for name in kept)

    def has(*wanted):
        expect(names(page)).to_have_text([f"{at} {name}" for at, name in enumerate(wanted, 1)])
        wait_until_idle(page)

    press(page, "Duplicate")
    has(first, first, *rest)
    # The name comes with the click, and the click is for the lesson with that name.
    page.get_by_label("Name in the list of steps (optional)").fill("Again")
    press(page, "Duplicate")
    has(first, "Again", "Again", *rest)
    press(page, "Delete")
    has(first, "Again", *rest)
    press(page, "Back")
    page.get_by_text(f"Step 2 of {len(kept) + 1}").wait_for()
    press(page, "Move back")
    has("Again", first, *rest)
    page.reload()
    page.get_by_role("tab", name="Make your own lesson").click()
    expect(page.get_by_label("Name in the list of steps (optional)")).to_have_value("Again")
    fill(page, "Title", "")
    expect(page.get_by_role("alert")).to_contain_text(
        "Title must be a text of 1 to 2000 characters. The lesson has not changed."
    )
    press(page, "Move forward")
    has(first, "Again", *rest)
    expect(page.get_by_role("alert")).to_have_count(0)
    press(page, "Delete")
    has(first, *rest)
    page.go_back()
    has(first, "Again", *rest)


OWN = Lesson(
    "My lesson",
    (
        Step(
            "My step",
            "Look at **PA**.",
            size=30,
            truth="10-17",
            alarms="14",
            lanes=("pa", "padf"),
            sliders=("decay",),
            worth=True,
            question=Question("Who still says 1.000?", ("PAdf", "PA"), 1, "It never asks when."),
        ),
        Step("The end", "That was it.", size=30, truth="10-17"),
    ),
)
"""A lesson as a teacher may write it."""

RIGHT = re.compile(r"^Right\. ")
"""How a verdict begins. Other texts end with "right."."""

PHONE = {"width": 380, "height": 800, "has_touch": True, "is_mobile": True}
FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const main = document.querySelector("[data-testid=stMain]");
  const host = element?.getRootNode().host ?? element;
  const { top, left, height } = element.getBoundingClientRect();
  return {
    name: (element.getAttribute("aria-label") || element.textContent || "").trim(),
    inMain: main.contains(host),
    top: top + main.scrollTop,
    bottom: top + height + main.scrollTop,
    left,
  };
}"""


def tab_to(page, name):
    """Press Tab until what has this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED)["name"] == name:
            return
    raise AssertionError(f"Tab does not lead to {name!r}")


def answer_and_look(page, press):
    """Do a teacher's lesson: answer, look, move the alarm, go on."""
    board = page.locator(".board")
    expect(board.locator(".veil")).to_have_count(2)
    expect(board.locator(".lane-score")).to_have_count(0)
    press("PA")
    page.get_by_text("Right. It never asks when.").wait_for()
    expect(board.locator("[data-f1=pa]")).to_have_text("1.000")
    # 2D/(1 + D) with D = 0.9^4, then 0.9^3.
    expect(board.locator("[data-f1=padf]")).to_have_text("0.792")
    press("◀ Earlier")
    expect(board.locator("[data-f1=padf]")).to_have_text("0.843")
    wait_until_idle(page)


def answer_questions(page, count, press):
    """Answer the first questions of the quiz, and go on."""
    for question in quiz(5, count):
        page.get_by_role("heading", name=question.text).wait_for()
        letter = f"{chr(65 + question.right)}. " if question.kind == "rank" else ""
        press(f"{letter}{question.answers[question.right].text}")
        page.get_by_text(RIGHT).wait_for()
        wait_until_idle(page)
        press("Next")
        wait_until_idle(page)


def test_a_teacher_s_own_lesson_and_the_quiz_by_touch(open_page, address):
    page = open_page(f"learn?lesson={lesson_to_text(OWN)}&step=1", **PHONE)

    def press(name):
        page.get_by_role("button", name=name, exact=True).tap()

    answer_and_look(page, press)
    term = page.locator(".padf-said .padf-term").first
    term.tap()
    expect(term).to_be_focused()
    press("Next")
    page.get_by_role("heading", name="2. The end").wait_for()
    visit(page, f"{address}/quiz?seed=5")
    answer_questions(page, 1, press)


def test_a_teacher_s_own_lesson_and_the_quiz_by_keyboard_alone(open_page, address):
    page = open_page(f"learn?lesson={lesson_to_text(OWN)}&step=1")

    def press(name):
        tab_to(page, name)
        page.keyboard.press("Enter")

    answer_and_look(page, press)
    tab_to(page, "decay rate d")
    page.keyboard.press("End")
    expect(page.locator(".board [data-f1=padf]")).to_have_text("1.000")
    press("time 0:00, detection: none")
    expect(page.locator(".board")).to_contain_text("2 alarms, 1 false")
    wait_until_idle(page)
    press("Next")
    page.get_by_role("heading", name="2. The end").wait_for()
    visit(page, f"{address}/quiz?seed=5")
    answer_questions(page, 1, press)


@pytest.mark.parametrize("path", ["learn?lesson=course&step=7", "playground"])
def test_on_a_phone_tab_goes_from_top_to_bottom(open_page, path):
    page = open_page(path, width=380, height=800)
    page.locator(".board .lane-score").first.wait_for()
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["inMain"]:
            seen.append(focused)
        elif seen:
            break
        if focused["name"].startswith(("Share and download", "Ledger")):
            break
    assert len(seen) > 15
    for before, behind in itertools.pairwise(seen):
        is_lower = behind["top"] > before["top"] - 8
        is_beside = behind["left"] > before["left"] and behind["bottom"] > before["top"]
        assert is_lower or is_beside, (before, behind)


def told_by(page):
    """Everything that a board tells: its texts, and what it tells those who do not see it."""
    return page.locator(".board").evaluate(
        "board => [board, ...board.querySelectorAll('*')].flatMap(e => ["
        "...[...e.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent),"
        "e.getAttribute('aria-label'), e.getAttribute('aria-valuetext')]).filter(Boolean).join('|')"
    )


@pytest.mark.parametrize("path", ["learn?lesson=course&step=9", "quiz?seed=5"])
def test_nothing_tells_a_score_or_a_credit_while_a_question_waits(open_page, path):
    page = open_page(path)
    is_quiz = path.startswith("quiz")
    if is_quiz:
        expect(page.locator(".patterns .mini")).to_have_count(3)
        assert page.locator(".patterns [data-f1]").count() == 0
        said = page.locator(".patterns .mini").first.get_attribute("aria-label")
        assert re.fullmatch(r"A[.] Anomaly at [-\d, ]+, alarms at [-\d, ]+[.]", said)
        page.get_by_role("button", name="Next").click()
    board = page.locator(".board")
    board.locator(".veil").first.wait_for()
    box = board.locator(".segment-box").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] - 12)
    board.locator(".tip").wait_for()
    assert re.findall(r"\d[.]\d\d|credit \d|F1 of", told_by(page)) == []
    for shown in (".lanes .adjusted", ".lanes .missed", ".worth-line", ".lane-score", ".lane-gain"):
        assert board.locator(shown).count() == 0, shown
    for curve in board.locator(".curve-line").all():
        points = re.findall(r"[\d.]+,([\d.]+)", curve.get_attribute("d"))
        assert len(set(points)) == 1
    right = quiz(5, COUNT)[1] if is_quiz else COURSE.steps[8].question
    answer = right.answers[right.right]
    page.get_by_role("button", name=answer.text if is_quiz else answer, exact=True).click()
    expect(board.locator(".lane-score")).to_have_count(4)
    expect(board.locator(".veil")).to_have_count(0)
    assert re.findall(r"\d[.]\d\d\d", told_by(page))


def test_a_lesson_works_from_a_file_without_a_network(open_page, browser, tmp_path):
    page = open_page("learn?lesson=course&step=1")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="The lesson (JSON)").click()
    assert json.loads(waiting.value.path().read_text())["title"] == COURSE.title
    with page.expect_download() as waiting:
        page.get_by_role("button", name="One HTML file").click()
    file = tmp_path / "lesson.html"
    waiting.value.save_as(file)
    context = browser.new_context(offline=True)
    alone = context.new_page()
    asked, faults = [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.goto(f"{file.as_uri()}#step=6")
    alone.get_by_role("heading", name=COURSE.steps[5].title).first.wait_for()
    step = COURSE.steps[5]
    alone.get_by_role("button", name=step.question.answers[step.question.right]).click()
    slider = alone.locator(".slider[data-slider=k] input[type=range]").first
    slider.focus()
    before = alone.locator("[data-f1=pa_k]").first.text_content()
    alone.keyboard.press("End")
    # K = 100 is point-wise: six of twelve points, F1 = 12/18.
    expect(alone.locator("[data-f1=pa_k]").first).to_have_text("0.667")
    assert before == "1.000"
    assert faults == []
    assert [url for url in asked if not url.startswith("file:")] == []
    context.close()


def test_the_quiz_with_right_and_wrong_answers(open_page):
    page = open_page("quiz?seed=5")
    for at, question in enumerate(quiz(5, COUNT)):
        page.get_by_role("heading", name=question.text).wait_for()
        wrong = at % 2
        place = (question.right + wrong) % len(question.answers)
        answer = re.escape(question.answers[place].text)
        page.get_by_role("button", name=re.compile(rf"^([A-C]\. )?{answer}$")).click()
        page.get_by_text("Not quite." if wrong else RIGHT).wait_for()
        if at < COUNT - 1:
            page.get_by_role("button", name="Next").click()
            wait_until_idle(page)
    page.get_by_text(f"All answered: {COUNT // 2} of {COUNT} right.").wait_for()
    page.get_by_role("button", name="Open in the Playground").click()
    Hand(page)


# Of eTP, precision, recall, F1, decay, half-life, and of the four protocols.
FORMULAS = 10


def test_the_glossary_has_every_term(open_page):
    page = open_page("glossary")
    page.get_by_role("heading", name="half-life").wait_for()
    term = page.locator(".padf-term", has_text="protocol").first
    term.hover()
    assert term.get_attribute("data-meaning").startswith("A scoring rule that says")
    expect(page.locator(".katex")).to_have_count(FORMULAS)
    search = page.get_by_role("textbox", name="Search")
    search.fill("jackknife")
    search.press("Enter")
    expect(page.get_by_role("heading", name="half-life")).to_have_count(0)
    page.get_by_role("heading", name="resample").wait_for()
    search.fill("<b>nothing</b>")
    search.press("Enter")
    page.get_by_text("No term matches <b>nothing</b>.").wait_for()


def count_pages(page):
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page[^s]", printed))


def drawn_points(picture):
    """Return the points of each kind that a picture of a handout shows."""
    width, (left, size) = (
        None,
        picture.evaluate(
            "p => { const all = p.querySelector('.normal'), cuts = p.querySelector('.grid');"
            " return [+all.getAttribute('x'), cuts.getAttribute('d').split('M').length]; }"
        ),
    )
    found = {}
    for kind in ("truth", "hit", "false"):
        for x, wide in picture.locator(f"rect.{kind}").evaluate_all(
            "all => all.map(r => [+r.getAttribute('x'), +r.getAttribute('width')])"
        ):
            width = 560 / size
            first = round((x - left) / width)
            found.setdefault(kind, set()).update(range(first, first + round(wide / width)))
    return found


def test_the_handout_has_pictures_axes_and_ranks_and_its_answers_a_page_of_their_own(
    browser, tmp_path
):
    file = tmp_path / "handout.html"
    file.write_text(handout_html(COURSE))
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    for step in COURSE.steps:
        page.get_by_text(step.text.replace("**", "")).wait_for()
        if step.question:
            page.get_by_text(step.question.why).wait_for()
            page.get_by_text(step.question.text).wait_for()
    # The fourth step has one alarm, at the last point of its segment: point 23 of 12 to 23.
    fourth = page.locator("section", has=page.get_by_role("heading", name="4. ")).first
    assert drawn_points(fourth.locator("svg")) == {"truth": set(range(12, 24)), "hit": {23}}
    # Case 1 of the paper hits delays 1, 2, 4 and 5 of the segment 12-18; it has five false alarms.
    ranked = page.locator(".several svg")
    assert drawn_points(ranked.first) == {
        "truth": set(range(12, 19)),
        "hit": {13, 14, 16, 17},
        "false": {2, 5, 8, 22, 26},
    }
    assert ranked.count() == page.locator(".rank").count() == 5
    answers = page.locator(".answers")
    assert page.locator("svg.curve").count() == 2
    assert page.locator("polyline").count() == answers.locator("polyline").count() == 1
    # Fig. 1 of the paper: Case 3 has no delay and one false alarm, 14/15 under PAdf as under PA.
    expect(answers).to_contain_text("PAdf (d = 0.9): 1. Case 3 (Fig. 1d): 0.933; 1. Case 4")
    both = count_pages(page)
    page.add_style_tag(content=".answers { display: none; }")
    assert (count_pages(page), both) == (2, 3)
    context.close()


def test_a_quiz_to_print_has_the_pictures_and_an_answer_key(open_page, browser, tmp_path):
    page = open_page("quiz?seed=7")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Quiz to print").click()
    context = browser.new_context(offline=True)
    file = tmp_path / "quiz.html"
    saved.value.save_as(file)
    paper = context.new_page()
    paper.goto(file.as_uri())
    asked = quiz(7, COUNT)
    sections = paper.locator("body > section")
    answers = paper.locator(".answers section")
    assert sections.count() == answers.count() == len(asked)
    for at, question in enumerate(asked):
        expect(sections.nth(at)).to_contain_text(question.text)
        pictures = sections.nth(at).locator("svg")
        assert pictures.count() == (len(question.answers) if question.kind == "rank" else 1)
        right = f"{chr(65 + question.right)}. {question.answers[question.right].text}"
        expect(answers.nth(at)).to_contain_text(right)
        expect(answers.nth(at)).to_contain_text(question.why)
    context.close()
