"""Every benchmark of the Makefile, run at a tiny size: a benchmark that breaks fails here.

The tests run the benchmarks' own ``main`` with smaller sizes. They check that each table is printed
with positive numbers, not how fast anything is. `tests/core/test_nab_script.py` runs
`benchmarks.nab`.
"""

import contextlib
import math
import re
import shutil
import sys
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Thread

import distributed
import pytest

import padf_core as padf
from benchmarks import board, core, corpus, coverage, data, load, peers, replicas
from tests.browser.server import ROOT
from tests.core.corpus_files import write_nab

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?|nan|inf)(?![\w.])")
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")


def numbers(printed, start):
    """Return the numbers after ``start`` in each line that starts with it; all must be positive."""
    rows = [
        [float(number.replace(",", "")) for number in NUMBER.findall(line.removeprefix(start))]
        for line in printed.splitlines()
        if line.startswith(start)
    ]
    assert rows, f"no line starts with {start!r}:\n{printed}"
    for row in rows:
        assert row, printed
        assert all(math.isfinite(number) and number > 0 for number in row), (start, row)
    return rows


def shared(thing):
    """Return a function that opens ``thing`` again and again, and leaves it open."""
    return lambda: contextlib.nullcontext(thing)


def test_every_benchmark_of_the_makefile_is_tested():
    called = set(re.findall(r"-m benchmarks\.(\w+)", (ROOT / "Makefile").read_text()))
    tested = {board, core, corpus, coverage, data, load, peers, replicas}
    assert called == {module.__name__.rpartition(".")[2] for module in tested} | {"nab"}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("row  1,000  0.5  2e-3 MiB", [[1000, 0.5, 0.002]]),
        ("row  nan", None),
        ("row  inf", None),
        ("row  0.00", None),
        ("row  -0.1", None),
        ("row", None),
        ("other  1", None),
    ],
)
def test_rows_without_positive_numbers_are_refused(line, wanted):
    if wanted is not None:
        assert numbers(line, "row") == wanted
        return
    with pytest.raises(AssertionError):
        numbers(line, "row")


def test_core(capsys):
    core.main(core.Size(ratios=20_000, growth=(10_000, 20_000), memory=20_000))
    printed = capsys.readouterr().out
    baselines = [f"baseline {name}" for name in padf.BASELINES if name != "isolation_forest"]
    for name in ("evaluate_all, F1 of four protocols", "best_f1_over_k, K = 0..100", "alarms_from"):
        numbers(printed, name)
    for name in baselines:
        numbers(printed, name)
    assert printed.count("within") + printed.count("OVER") == 4 + len(baselines)
    assert len(numbers(printed.partition("\npeak memory")[2], "best_f1, four protocols")[0]) == 2
    (grown,) = re.findall(r"^best_f1, four protocols +(\S+) +(\S+) +(\S+)$", printed, re.MULTILINE)
    first, second, exponent = map(float, grown)
    # From 10,000 to 20,000 points. Noise may well make the exponent of these two negative.
    assert exponent == pytest.approx(math.log2(second / first), abs=0.1)


def test_coverage(capsys):
    coverage.main(
        coverage.Size(
            pieces=2, segments=(5,), worlds=coverage.WORLDS[:1], population=6, corpora=(3,),
            points=300,
        )
    )  # fmt: skip
    printed = capsys.readouterr().out
    intervals, different = (line for line in printed.splitlines() if line.startswith("ordinary"))
    kept_chosen_gap_width = [float(value) for value in intervals.split()[2:]]
    assert len(kept_chosen_gap_width) == 16
    assert all(0 <= value <= 1 for value in kept_chosen_gap_width)
    assert all(width > 0 for width in kept_chosen_gap_width[12:])
    assert all(0 <= float(value) <= 1 for value in different.split()[2:])
    (corpora,) = (line for line in printed.splitlines() if line.startswith("short series"))
    assert len(corpora.split()) == 3 + 5 * len(coverage.PROTOCOLS)
    ignorant = [line for line in printed.splitlines() if line.startswith("AR(1)")]
    names = [line[:29].strip().removeprefix("AR(1), ") for line in ignorant]
    assert names == ["0.0", "0.6", "0.95", "0.99", "0.95, rising"]
    assert all(0 <= float(value) <= 1 for line in ignorant for value in line[29:].split()[:4])


def test_corpus(capsys):
    corpus.main(size=corpus.Size(counts=(4,), rows=100))
    printed = capsys.readouterr().out
    assert len(numbers(printed, "reading alone")[0]) == 6
    assert len(numbers(printed, "1 process")[0]) == 6
    assert len(numbers(printed, "2 processes")[0]) == 4


def test_corpus_of_nab(capsys, tmp_path, monkeypatch):
    # Workers as threads start faster. `test_corpus_engines` has workers in processes of their own.
    threads = partial(distributed.LocalCluster, processes=False)
    monkeypatch.setattr(distributed, "LocalCluster", threads)
    corpus.main(write_nab(tmp_path), corpus.Size(counts=()), corpus.in_this_process)
    printed = capsys.readouterr().out
    assert "NAB: 4 pairs" in printed
    for name in corpus.RUNS:
        wall = NUMBER.findall(printed.partition(f"\n{name}  ")[2])[0]
        assert 0 < float(wall) < math.inf
    assert len(numbers(printed, "TSB-AD-Eva")) == 3


def test_load_and_the_painters_of_replicas(server, capsys):
    few = {"painters": (2,), "thresholds": 2, "reruns": 3, "visits": 1, "megabytes": 1}
    size = load.Size(1, **few, gone_seconds=0, pause=0.05)
    load.main(size, shared(server))
    replicas.paint_through(server[0], replicas.Size(painters=2, seconds=1), "no proxy")
    printed = capsys.readouterr().out
    for name in ("2 painters: ", "2 thresholds on the pump: ", "2 painters through no proxy: "):
        (line,) = (line for line in printed.splitlines() if line.startswith(name))
        assert line.endswith(", 0 lost")
        answers, p50, p95 = numbers(line.removesuffix(", 0 lost"), name)[0]
        assert answers == 2
        assert p50 <= p95
    numbers(printed, "3 reruns")
    before, most = (float(each) for each in re.findall(r"(\d+) MB (?:before|at most)", printed))
    assert 0 < before <= most


def test_a_visit_that_fails_ends_the_load_benchmark():
    with pytest.raises(OSError):
        load.crowd("http://127.0.0.1:1", "playground", "", load.paint, 2, 1)


class OneReplicaEach(BaseHTTPRequestHandler):
    """Answers like nginx with docs/nginx.conf: a cookie decides about the replica."""

    protocol_version = "HTTP/1.0"
    visitors = count()

    def do_GET(self):
        cookie = self.headers["Cookie"] or f"padf_replica={next(self.visitors)}"
        self.send_response(200)
        self.send_header("X-Replica", str(int(cookie.partition("=")[2]) % 2))
        self.send_header("Set-Cookie", f"{cookie}; Path=/")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()

    def log_message(self, *arguments):
        """Print nothing."""


class NewReplicaEachTime(OneReplicaEach):
    """Ignores the cookie."""

    def do_GET(self):
        del self.headers["Cookie"]
        super().do_GET()


@contextlib.contextmanager
def answering(handler):
    """Answer requests with a handler; yield the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        Thread(target=httpd.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()


def test_replicas_route_visitors(capsys):
    size = replicas.Size(visitors=4, asks=3)
    with answering(OneReplicaEach) as address:
        replicas.route(address, size)
    assert capsys.readouterr().out == "4 visitors, 3 requests each: 2 and 2 per replica\n"
    with (
        answering(NewReplicaEachTime) as address,
        pytest.raises(AssertionError, match="went to two"),
    ):
        replicas.route(address, size)


def test_replicas_configure_nginx(tmp_path):
    made = replicas.configuration(
        ("http://127.0.0.1:1001", "http://127.0.0.1:1002"), 1003, tmp_path
    )
    for text in ("server 127.0.0.1:1001;", "server 127.0.0.1:1002;", "listen 127.0.0.1:1003;"):
        assert text in made
    assert f"access_log {tmp_path}/access.txt plain;" in made
    assert made.count("{") == made.count("}")
    assert not {"8501", "8502", "8080", "limit_conn visits 50"} & set(re.split(r"[\s;:]", made))


def test_replicas_say_when_nginx_is_missing():
    with pytest.raises(SystemExit, match="nginx was not found"):
        replicas.main("no-such-nginx")


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_replicas(capsys):
    replicas.main(NGINX, replicas.Size(painters=2, seconds=1, visitors=20, asks=2))
    printed = capsys.readouterr().out
    assert "2 painters through nginx: 2 answers" in printed
    numbers(printed, "  replicas:")


PEERS = {
    "tsadmetrics/metrics/tem/ptdm/PointadjustedAtKFScore": "PointAdjustK(100 * k, inclusive=True)",
    "tsadmetrics/metrics/tem/tpdm/CompositeFScore": "Composite()",
    "tsadmetrics/metrics/tem/tpdm/PointadjustedFScore": "PointAdjust()",
    "tsadmetrics/metrics/tem/tpdm/SegmentwiseFScore": "EventWise()",
    "tsadmetrics/metrics/tem/dpm/DelayThresholdedPointadjustedFScore": (
        "PointAdjustDecay(padf.DeadlineDecay(k - 1))"
    ),
    "tsadmetrics/metrics/tem/dpm/LatencySparsityawareFScore": (
        "PointAdjustDecay(padf.LinearDecay(1), measure='share')"
    ),
}
PEER = """
import padf_core as padf

class {name}:
    def __init__(self, k=0, ni=1):
        self.protocol = padf.{protocol}
    def compute(self, labels, detections):
        return padf.evaluate(labels, detections, self.protocol).f1
"""
OTHER_PEER = {
    "tadpak/pak": """
import padf_core as padf

def pak(scores, labels, threshold, k):
    made = padf.evaluate(labels, (scores > threshold).astype(int), padf.PointAdjustK(k))
    return made.credit > 0
""",
    "tadpak/evaluate": """
import padf_core as padf

def evaluate(scores, labels, k):
    (best,) = padf.best_f1(labels, scores, [padf.PointAdjustK(k)])
    return {"best_f1_w_pa": best.f1 - 0.25 * (k == 20)}
""",
}


def write_peers(folder):
    """Write packages with the peers' names and functions; one of them returns a wrong F1."""
    texts = {
        path: PEER.format(name=path.rpartition("/")[2], protocol=protocol)
        for path, protocol in PEERS.items()
    }
    for path, text in (texts | OTHER_PEER).items():
        file = folder / f"{path}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def test_peers(capsys, tmp_path, monkeypatch):
    """The worker runs with made peers; `make bench-peers` runs the real ones."""
    write_peers(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{ROOT}")
    peers.main(sys.executable, peers.Size(given=2_000, searched=500, cases=20, case_points=40))
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith(("tsadmetrics", "tadpak"))]
    assert len(rows) == 9
    assert [row for row in rows if not row.endswith("  exact")] == [rows[-1]]
    assert "best PA%K > 20" in rows[-1]
    assert rows[-1].endswith("off by 0.2500")
    for row in rows:
        numbers(row.partition("  off")[0][32:], "")
    assert re.search(r"dtpaf with k = limit \+ 1 +0\n", printed)
    assert re.search(r"lsaf with ni = 1 +0\n", printed)


BOARD_ROWS = {
    "300 points, half of them anomalous": 3,
    "an empty frame": 2,
    "slider moved: all lanes, numbers and formula redrawn": 2,
    "slider moved: to pixels": 2,
    "stroke: drawn on the board": 2,
    "stroke under way: Python's scores on the board": 2,
    "stroke let go at once: Python's scores on the board": 2,
    "two detectors set to their budget, in s": 1,
    "the page to leave behind, in kB": 1,
    "frames a second, at rest": 1,
    "frames a second, playing": 1,
}
DATA_ROWS = {
    "  upload and preview": 1,
    "  from click to scores": 1,
    "  another threshold": 1,
    "  compare, with random detectors": 1,
    "  highest memory of the server": 1,
    "  while this file is being read": 2,
}


class OneProfile:
    """A browser whose pages share what other tests have loaded already."""

    def __init__(self, context):
        self.context = context
        self.version = context.browser.version

    def new_page(self, viewport=None):
        page = self.context.new_page()
        page.set_viewport_size(viewport or {"width": 1280, "height": 720})
        return page


def test_board_and_data(server, contexts, capsys):
    browser = OneProfile(contexts())
    repeats = {"rows": 2, "frames": 2, "slides": 2, "strokes": 1, "pause": 100}
    size = board.Size(boards=(60,), replayed=20_000, replay_seconds=0.2, **repeats)
    board.main(size, shared(server), shared(browser))
    data.main(data.Size((5_000,), 0.2, patience=60), shared(server), shared(browser))
    printed = capsys.readouterr().out
    assert "\n60 points\n" in printed
    assert "\n5,000 rows, 3 detectors" in printed
    for name, wanted in (BOARD_ROWS | DATA_ROWS).items():
        assert [len(row) for row in numbers(printed, name)] == [wanted]
