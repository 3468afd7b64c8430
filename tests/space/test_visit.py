"""What a visit says of pages that are not as they should be."""

import http.server
import json
import subprocess
import sys
import threading

import pytest
from project import ROOT

# In a process of its own: the browser tests hold the only Playwright that this one may have.
VISIT = """
import json, sys, time
from dataclasses import asdict
from playwright.sync_api import expect, sync_playwright
from bench.chromium import launch
from space import visit
from space.rehearse import _NO_NAMES
visit._PATIENCE = 10_000
seen = visit.Visit(sys.argv[1])
with sync_playwright() as play:
    visit.visit(launch(play, _NO_NAMES), seen, time.monotonic() - 1000)
print(json.dumps(asdict(seen)))
"""


@pytest.fixture
def visited(tmp_path):
    """A function that has a page of the given HTML visited."""
    handler = type("Handler", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *of: handler(*of, directory=tmp_path))
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def visit(page):
        (tmp_path / "index.html").write_text(f'<link rel="icon" href="data:,"><meta charset="utf-8">{page}', "utf-8")
        command = [sys.executable, "-c", VISIT, f"http://127.0.0.1:{server.server_port}/"]
        return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)

    yield visit
    server.shutdown()
    server.server_close()


def test_a_page_without_the_box_is_never_there(visited):
    seen = visited("<p>Nothing here")
    assert (seen["first_page"], seen["first_answer"], seen["done"], seen["hosts"]) == (None, None, [], {})
    (problem,) = seen["problems"]
    assert problem.startswith("not typed: ")


def test_a_page_that_does_not_answer_is_there_and_not_live(visited):
    seen = visited("<label>A sentence with a date in it <input></label>")
    assert 1000 <= seen["first_page"] < 2000, "seconds since the start"
    assert (seen["first_answer"], seen["done"]) == (None, [])
    assert [problem.partition(":")[0] for problem in seen["problems"]] == ["not typed"]


def test_other_hosts_and_errors_are_told(visited):
    seen = visited(
        '<script src="https://cdn.example.org/a.js"></script><link rel="preconnect" href="https://fonts.example.org">'
        '<script>new WebSocket("wss://live.example.org/x"); console.error("broken"); undefined.f()</script>'
    )
    assert set(seen["hosts"]) == {"cdn.example.org", "live.example.org", "fonts.example.org"}
    assert "the page asks for https://cdn.example.org/a.js" in seen["problems"]
    assert "in the console: broken" in seen["problems"]
    assert any(problem.startswith("in the page: ") and "undefined" in problem for problem in seen["problems"])
