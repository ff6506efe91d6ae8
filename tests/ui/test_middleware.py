"""What a server refuses, keeps and gives back, whoever asks."""

import asyncio
import json
import selectors
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from padf_ui.server import collector, memory, middleware, upload_quota
from padf_ui.server.cache import Memory
from padf_ui.server.memory import Budget
from padf_ui.server.middleware import Middleware
from padf_ui.server.upload_quota import Uploads

UPLOAD = "/_stcore/upload_file/{}/{}"


def finish(coroutine):
    """Run what waits for nothing; another loop may be running beside it."""
    with pytest.raises(StopIteration):
        coroutine.send(None)


def answer(path, method="GET", query=b"", **headers):
    """The status and text that a request gets; 200 when it is passed on."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"passed on"})

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "path": path,
        "method": method,
        "query_string": query,
        "headers": [(name.replace("_", "-").encode(), text) for name, text in headers.items()],
    }
    finish(Middleware(app)(scope, None, send))
    told = {name.decode() for name, _ in sent[0]["headers"]}
    assert {"x-content-type-options", "referrer-policy", "content-security-policy"} <= told
    return sent[0]["status"], sent[1]["body"].decode()


def put(visit, file, size):
    return answer(UPLOAD.format(visit, file), "PUT", content_length=str(size).encode())


@pytest.fixture(autouse=True)
def no_uploads(monkeypatch):
    monkeypatch.setattr(middleware, "UPLOADS", Uploads())


def test_a_link_of_100_kb_is_answered_with_a_sentence():
    status, said = answer("/playground", query=b"truth=" + b"1" * 100_000)
    assert status == 414
    assert said.startswith("This link is longer than 16,000 characters")
    assert answer("/playground", query=b"truth=12-23")[0] == 200


def test_uploads_under_invented_names_have_a_quota(monkeypatch):
    monkeypatch.setattr(upload_quota, "PER_VISIT", 1000)
    room = [10**9]
    monkeypatch.setattr(upload_quota.BUDGET, "has_room", lambda size: size <= room[0])
    assert put("a", "1", 600) == (200, "passed on")
    assert put("a", "1", 900)[0] == 200  # in place of the first
    status, said = put("a", "2", 200)
    assert (status, said[:32]) == (413, "One visit can hold 0 MB of files")
    assert answer(UPLOAD.format("a", "1"), "DELETE")[0] == 200
    assert put("a", "2", 200)[0] == 200
    room = [499]
    assert put("b", "2", 500) == (
        413,
        "This server is full. Try again in a few minutes.",
    )
    assert answer(UPLOAD.format("c", "1"), "PUT")[0] == 411


def test_one_collector_however_often_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(collector, "_collect", threading.Event().wait)
    monkeypatch.setattr(collector, "_STARTED", threading.Lock())
    begun = []
    monkeypatch.setattr(
        collector.threading,
        "Thread",
        lambda **_: begun.append(1) or SimpleNamespace(start=lambda: None),
    )
    for _ in range(50):
        collector.collect_in_background()
    assert len(begun) == 1


def test_uploads_of_long_ago_no_longer_count(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(upload_quota.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(upload_quota, "PER_VISIT", 1000)
    kept = Uploads()
    assert kept.take("a", "1", 800) is None
    now[0] = 1800.0
    assert kept.take("a", "2", 200) is None
    assert kept.take("a", "3", 100) is not None
    now[0] = 3601.0
    assert kept.take("a", "3", 700) is None
    assert kept.take("a", "4", 200) is not None


def test_what_is_remembered_is_bounded_by_bytes():
    memory = Memory(entries=4, megabytes=8)
    made = []

    def make(key, megabytes):
        return memory.recall(key, lambda: made.append(key) or np.zeros(megabytes << 17))

    for key in "abcab":
        make(key, 3)  # two of three fit
    assert made == ["a", "b", "c", "a", "b"]
    make("large", 9)
    make("large", 9)  # is never kept
    make("b", 3)
    assert made[5:] == ["large", "large"]


def test_large_results_that_nobody_asks_for_are_forgotten():
    memory = Memory(entries=4, megabytes=40)
    made = []

    def make(key, size):
        return memory.recall(key, lambda: made.append(key) or np.zeros(size, np.int8))

    make("large", 2 << 20)
    make("small", 1000)
    memory.forget_unused(3600.0)
    make("large", 2 << 20)
    assert made == ["large", "small"]
    memory.forget_unused(-1.0)
    make("large", 2 << 20)
    make("small", 1000)
    assert made == ["large", "small", "large"]


def test_a_memory_budget_for_all(monkeypatch):
    monkeypatch.setenv("PADF_MEMORY_MB", "1000")
    monkeypatch.setattr(memory, "in_use", lambda: 200 << 20)
    own = Budget()
    with own.reserve(400 << 20):
        with pytest.raises(ValueError) as refused, own.reserve(450 << 20):
            pass
        assert str(refused.value) == (
            "this needs about 450 MB of memory, and 400 MB are free now, because others are "
            "reading files. Try again in a minute"
        )
    with own.reserve(450 << 20):
        pass
    with pytest.raises(ValueError) as refused, own.reserve(900 << 20):
        pass
    assert str(refused.value) == (
        "this needs about 900 MB of memory, and one visit may take 500 MB (half of this "
        "server's memory). Upload fewer rows or fewer detectors"
    )
    monkeypatch.delenv("PADF_MEMORY_MB")
    assert memory.limit() > 1 << 28


def test_the_server_listens_to_this_machine_alone_unless_asked():
    config = Path(middleware.__file__).parents[2] / ".streamlit" / "config.toml"
    assert tomllib.loads(config.read_text())["server"]["address"] == "127.0.0.1"


def test_a_form_reads_no_file_beyond_its_limit(tmp_path):
    from streamlit.testing.v1 import AppTest

    def form():
        from padf_ui.components import widgets

        widgets.file_form("A file", "Use", lambda content: print(len(content)), "All stays")

    app = AppTest.from_function(form).run()
    content = json.dumps([[]] * 400_000).encode()
    assert len(content) > 1 << 20
    app.file_uploader[0].upload("many.json", content, "application/json")
    app.button[0].click().run()
    assert "larger than 1 MB, the most that is read" in app.error[0].value


# ---- visits that have ended ----------------------------------------------------------------------

STREAM = "/_stcore/stream"
FIRST = {"type": "websocket.receive", "bytes": b"show me a page"}


class Visits:
    """An app that notes who came and what they said, and answers."""

    def __init__(self):
        self.came = []
        self.said = []
        self.gone = []

    async def __call__(self, scope, receive, send):
        self.came.append(scope)
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.said.append(message["bytes"])
            await send({"type": "websocket.send", "bytes": b"a page"})
        assert (message["type"], message["code"]) == ("websocket.disconnect", 1001)
        self.gone.append(scope)


def visit(door, path=STREAM, says=(FIRST, {**FIRST, "bytes": b"more"})):
    """Come, say something, and leave."""
    left = {"type": "websocket.disconnect", "code": 1001}
    messages = iter(({"type": "websocket.connect"}, *says, left))
    headers = [(b"host", b"example.test"), (b"cookie", b"mine"), (b"sec-websocket-protocol", b"a")]
    scope = {"type": "websocket", "path": path, "headers": headers, "query_string": b"x=1"}

    async def receive():
        return next(messages)

    async def send(message):
        assert message["type"] in ("websocket.accept", "websocket.send")

    return door(scope, receive, send)


class NoWaiting(selectors.DefaultSelector):
    """Waits for nothing: the time that it should have waited has passed."""

    now = 0.0

    def select(self, timeout=None):
        assert timeout is not None, "everything waits, and nothing will end that"
        self.now += timeout
        return super().select(0)


class QuickLoop(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to the next event, so that an hour takes no time.

    What would run in a thread runs at that moment: the clock would not wait for it.
    """

    def __init__(self):
        self.waiting = NoWaiting()
        super().__init__(self.waiting)

    def time(self):
        return self.waiting.now

    def run_in_executor(self, executor, function, *arguments):
        done = self.create_future()
        done.set_result(function(*arguments))
        return done


def run_quickly(coroutine):
    """Run to the end, in a thread: in this one another loop may be running."""

    def run():
        with asyncio.Runner(loop_factory=QuickLoop) as runner:
            runner.run(coroutine)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


@pytest.fixture
def given_back(monkeypatch):
    """How often memory was given back. Visits cannot come back after a minute."""
    monkeypatch.setattr(middleware.st, "get_option", lambda name: 60)
    given_back = []
    monkeypatch.setattr(middleware, "give_back", lambda: given_back.append(1))
    return given_back


def test_somebody_comes_and_goes_after_visits_have_ended(given_back):
    app = Visits()

    async def story():
        gate = Middleware(app)
        await asyncio.gather(visit(gate), visit(gate), visit(gate))
        assert len(app.gone) == 3
        await asyncio.sleep(60)
        assert len(app.came) == 3
        await asyncio.sleep(600)

    run_quickly(story())
    assert len(app.gone) == 4  # one for all three, and none for itself
    assert len(given_back) == 1
    own = app.came[-1]
    assert (own["type"], own["path"]) == ("websocket", STREAM)
    # It is nobody: it brings neither a cookie nor the number of a visit, and asks for a page alone.
    assert own["headers"] == [(b"host", b"example.test")]
    assert own["query_string"] == b""
    assert app.said[6:] == [FIRST["bytes"]]


def test_whoever_left_before_saying_anything_is_let_go_of_too(given_back):
    app = Visits()

    async def story():
        await visit(Middleware(app), says=())
        await asyncio.sleep(600)

    run_quickly(story())
    assert (len(app.gone), app.said) == (2, [])


def test_visits_that_end_within_five_seconds_are_let_go_of_together(given_back):
    app = Visits()

    async def story():
        gate = Middleware(app)
        for _ in range(3):
            await visit(gate)
            await asyncio.sleep(2)  # They end at 0, 2 and 4 s: all are due with the last, at 65 s.
        await asyncio.sleep(58.5)
        assert len(app.came) == 3
        await asyncio.sleep(600)

    run_quickly(story())
    assert (len(app.gone), len(given_back)) == (4, 1)


def test_a_visit_that_ends_meanwhile_is_waited_for_as_long(given_back):
    app = Visits()

    async def story():
        gate = Middleware(app)
        await visit(gate)
        await asyncio.sleep(30)
        await visit(gate)
        # The first one is due at 61 s, the second one at 91 s. Looking at a page takes a second.
        for moment, gone in ((60.9, 2), (61.9, 2), (62.1, 3), (90.9, 3), (92.1, 4), (600, 4)):
            await asyncio.sleep(moment - asyncio.get_running_loop().time())
            assert len(app.gone) == gone

    run_quickly(story())
    assert len(given_back) == 2


def test_what_goes_wrong_while_visits_are_let_go_of_does_not_keep_the_next_one(given_back):
    class Failing(Visits):
        async def __call__(self, scope, receive, send):
            await super().__call__(scope, receive, send)
            if len(self.gone) == 3:
                raise KeyError("bytes")

    app = Failing()
    text = {"type": "websocket.receive", "bytes": None, "text": "no page reads this"}

    async def story():
        gate = Middleware(app)
        await visit(gate, says=(text,))
        await asyncio.sleep(30)
        await visit(gate)
        await asyncio.sleep(600)

    run_quickly(story())
    # A text is not said again; the visit that failed is told of, and the next one comes.
    assert app.said == [None, FIRST["bytes"], b"more", FIRST["bytes"]]
    assert (len(app.gone), len(given_back)) == (4, 2)


def test_other_sockets_are_no_visits(given_back):
    app = Visits()

    async def story():
        await visit(Middleware(app), "/something/else")
        await asyncio.sleep(600)

    run_quickly(story())
    assert len(app.came) == 1


# ---- the head of each page -----------------------------------------------------------------------

PAGE = b"<!doctype html><html><head><title>x</title></head><body></head></body></html>"


def page_through(body=PAGE, method="GET", accept=b"text/html,*/*", kind=b"text/html", **more):
    """What comes back for a page, in two pieces, and what the app was asked for."""
    sent, asked = [], []

    async def app(scope, receive, send):
        asked.append(dict(scope["headers"]))
        length = (b"content-length", str(len(body)).encode())
        old = [(b"etag", b'"old"'), (b"last-modified", b"yesterday")]
        extra = [(name.replace("_", "-").encode(), text) for name, text in more.items()]
        headers = [(b"content-type", kind + b"; charset=utf-8"), length, *old, *extra]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:20], "more_body": True})
        await send({"type": "http.response.body", "body": body[20:]})

    async def send(message):
        sent.append(message)

    headers = [(b"accept", accept), (b"accept-encoding", b"gzip")]
    scope = {"type": "http", "path": "/learn", "method": method, "query_string": b""}
    finish(Middleware(app)({**scope, "headers": headers}, None, send))
    content = b"".join(each.get("body", b"") for each in sent)
    return dict(sent[0]["headers"]), content, asked[0]


def test_a_page_has_the_style_and_the_rule_for_back_in_its_head():
    headers, content, asked = page_through()
    before, _, behind = content.partition(b"<style>")
    assert before == b"<!doctype html><html><head><title>x</title>"
    style, _, script = behind.partition(b'</style><script type="module">')
    assert b":root .stMainBlockContainer { padding:" in style
    assert b"function addOneEntryPerAction(" in script
    assert script.count(b"</script") == 1
    assert script.endswith(
        b"\naddOneEntryPerAction(history, window);\n</script></head><body></head></body></html>"
    )
    assert content.count(b"<style>") == 1
    assert headers[b"content-length"] == str(len(content)).encode()
    # The page differs from the file that these were made for.
    assert {b"etag", b"last-modified"}.isdisjoint(headers)
    assert b"accept-encoding" not in asked, "a packed page could not be changed"


@pytest.mark.parametrize(
    "other",
    [
        {"method": "HEAD"},
        {"accept": b"*/*"},
        {"kind": b"text/javascript"},
        {"content_encoding": b"gzip"},
    ],
    ids=str,
)
def test_whatever_is_no_page_comes_through_unchanged(other):
    headers, content, _ = page_through(**other)
    assert content == PAGE
    assert headers[b"etag"] == b'"old"'
    assert headers[b"content-length"] == str(len(PAGE)).encode()
