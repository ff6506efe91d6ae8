"""Two replicas behind nginx, configured by docs/nginx.conf: who goes where, and how fast.

    python -m benchmarks.replicas [NGINX] [PAINTERS] [SECONDS]

Each visitor takes the cookie of the first answer along; all further answers must come from the same
replica. Then painters send one stroke a second through the proxy.
"""

import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.load import BOARD, crowd, paint, server, told
from tests.browser.server import ROOT, free_port, memory_of

VISITORS, ASKS = 20, 5


@contextlib.contextmanager
def proxy(nginx, addresses, folder):
    """Run nginx with the shipped configuration on other ports; yield its address."""
    port = free_port()
    config = (ROOT / "docs" / "nginx.conf").read_text()
    for shipped, address in zip(("8501", "8502"), addresses, strict=True):
        config = config.replace(f"127.0.0.1:{shipped}", address.removeprefix("http://"))
    config = config.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    config = config.replace("/dev/stdout plain", f"{folder}/access.txt plain")
    config = config.replace("limit_conn visits 50;", "")  # all visitors come from one machine here
    shown = "add_header X-Replica $upstream_addr; add_header Set-Cookie"
    config = config.replace("add_header Set-Cookie", shown)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    config = config.replace("http {", f"http {{ {places}", 1)
    file = Path(folder) / "nginx.conf"
    file.write_text(config)
    options = f"daemon off; pid {folder}/pid; error_log {folder}/error.txt;"
    process = subprocess.Popen([nginx, "-p", folder, "-c", str(file), "-g", options])
    try:
        time.sleep(1)
        assert process.poll() is None, "nginx has stopped"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def replicas_of(address):
    """Ask a few times as one visitor; return the replicas that answered."""
    cookie, seen = "", set()
    for _ in range(ASKS):
        request = urllib.request.Request(f"{address}/_stcore/health", headers={"Cookie": cookie})
        with urllib.request.urlopen(request) as answer:
            seen.add(answer.headers["X-Replica"])
            given = [each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie") or ()]
            cookie = cookie or next(each for each in given if each.startswith("padf_replica="))
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    return seen


def main(nginx="nginx", painters=50, seconds=20):
    if shutil.which(nginx) is None:
        sys.exit("say where nginx is: python -m benchmarks.replicas /usr/sbin/nginx")
    with (
        tempfile.TemporaryDirectory() as folder,
        server() as (first, one),
        server() as (second, two),
        proxy(nginx, (first, second), folder) as address,
    ):
        seen = [replicas_of(address) for _ in range(VISITORS)]
        assert all(len(each) == 1 for each in seen), "a visitor went to two replicas"
        counts = [sum(each == {replica} for each in seen) for replica in set.union(*seen)]
        assert len(counts) == 2, "one replica got everybody"
        one_each = " and ".join(map(str, counts))
        print(f"{VISITORS} visitors, {ASKS} asks each: {one_each} with one replica all the time")
        times, lost = crowd(address, "playground", BOARD, paint, int(painters), int(seconds))
        told(f"{painters} painters through nginx", times, lost)
        print(f"  replicas: {memory_of(one):.0f} and {memory_of(two):.0f} MB")
        log = Path(folder, "access.txt").read_text()
        assert "upload_file" not in log


if __name__ == "__main__":
    main(*sys.argv[1:])
