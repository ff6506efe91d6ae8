"""Measure two replicas behind nginx, configured by docs/nginx.conf: routing and response times.

    python -m benchmarks.replicas [NGINX] [PAINTERS] [SECONDS]

Each visitor sends back the cookie of the first answer. All later answers must come from the same
replica. Then painters send one stroke per second through the proxy.
"""

import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load import BOARD, crowd, paint, told
from benchmarks.serving import own_server
from tests.browser.server import ROOT, free_port, memory_of

KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class Size:
    """Number of painters and visitors, and how long the painters paint."""

    painters: int = 50
    seconds: int = 20
    visitors: int = 20
    asks: int = 5


FULL = Size()


def configuration(addresses, port, folder):
    """Return docs/nginx.conf with other ports and paths.

    Raises
    ------
    ValueError
        If the shipped configuration lacks a text that must be replaced.
    """
    first, second = (address.removeprefix("http://") for address in addresses)
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in KINDS)
    config = (ROOT / "docs" / "nginx.conf").read_text()
    for shipped, used in {
        "server 127.0.0.1:8501;": f"server {first};",
        "server 127.0.0.1:8502;": f"server {second};",
        "listen 8080;": f"listen 127.0.0.1:{port};",
        "/dev/stdout plain": f"{folder}/access.txt plain",
        # In the benchmark, all visitors come from one machine.
        "limit_conn visits 50;": "",
        "add_header Set-Cookie": "add_header X-Replica $upstream_addr; add_header Set-Cookie",
        "http {": f"http {{ {temporary}",
    }.items():
        if shipped not in config:
            raise ValueError(f"docs/nginx.conf must contain {shipped!r}")
        config = config.replace(shipped, used, 1)
    return config


@contextlib.contextmanager
def proxy(nginx, addresses, folder):
    """Run nginx with the shipped configuration on other ports. Yield its URL."""
    port = free_port()
    file = Path(folder) / "nginx.conf"
    file.write_text(configuration(addresses, port, folder))
    options = f"daemon off; pid {folder}/pid; error_log {folder}/error.txt;"
    process = subprocess.Popen([nginx, "-p", folder, "-c", str(file), "-g", options])
    try:
        time.sleep(1)
        assert process.poll() is None, "nginx has stopped"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def replicas_of(address, asks):
    """Send several requests as one visitor. Return the replicas that answered."""
    cookie, seen = "", set()
    for _ in range(asks):
        request = urllib.request.Request(f"{address}/_stcore/health", headers={"Cookie": cookie})
        with urllib.request.urlopen(request) as answer:
            seen.add(answer.headers["X-Replica"])
            given = [each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie") or ()]
            cookie = cookie or next(each for each in given if each.startswith("padf_replica="))
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    return seen


def route(address, size):
    """Check that each visitor stays with one replica, and that both replicas get visitors."""
    seen = [replicas_of(address, size.asks) for _ in range(size.visitors)]
    assert all(len(each) == 1 for each in seen), "a visitor went to two replicas"
    counts = [sum(each == {replica} for each in seen) for replica in set.union(*seen)]
    assert len(counts) == 2, "one replica got all visitors"
    shares = " and ".join(map(str, counts))
    print(f"{size.visitors} visitors, {size.asks} requests each: {shares} per replica")


def paint_through(address, size, name="nginx"):
    """Let painters paint through the proxy. Print the response times."""
    times, lost = crowd(address, "playground", BOARD, paint, size.painters, size.seconds)
    told(f"{size.painters} painters through {name}", times, lost)


def main(nginx="nginx", size: Size = FULL):
    if shutil.which(nginx) is None:
        sys.exit("nginx was not found. Give its path: make bench-replicas NGINX=/usr/sbin/nginx")
    with (
        tempfile.TemporaryDirectory() as folder,
        own_server() as (first, one),
        own_server() as (second, two),
        proxy(nginx, (first, second), folder) as address,
    ):
        route(address, size)
        paint_through(address, size)
        print(f"  replicas: {memory_of(one):.0f} and {memory_of(two):.0f} MB")
        log = Path(folder, "access.txt").read_text()
        assert "upload_file" not in log


if __name__ == "__main__":
    main(*sys.argv[1:2], size=Size(*map(int, sys.argv[2:4])))
