"""A real Chromium on the real app. CHROMIUM sets the browser; see install.sh for how one is found."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from bench.chromium import launch

ROOT = Path(__file__).parents[2]
PATIENCE = 120_000

expect.set_options(timeout=60_000)


def start_app() -> tuple[subprocess.Popen, str]:
    """Start app.py on a free port and return as soon as the page is up."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1"}
    app = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/"
    for _ in range(600):
        if app.poll() is not None:
            raise RuntimeError(f"app.py ended with status {app.returncode}")
        try:
            urllib.request.urlopen(f"{url}config", timeout=5).read()
        except OSError:
            time.sleep(0.1)
        else:
            return app, url
    app.terminate()
    raise RuntimeError("app.py did not come up within a minute")


@pytest.fixture(scope="module")
def browser():
    """Closed with each module: its event loop would stand in the way of tests that run one of their own."""
    with sync_playwright() as play:
        browser = launch(play)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def url():
    app, url = start_app()
    yield url
    app.terminate()
    app.wait(30)


@pytest.fixture
def open_page(browser, url):
    """A function that opens the page in a context of its own, and afterwards looks at what went wrong in it."""
    opened = []

    def open_page(ready: bool = True, **options) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: None if is_ours(request.url, url) else problems.append(request.url))
        opened.append((context, problems))
        page.goto(url)
        if ready:
            page.wait_for_selector(".reader[data-status=ready]", timeout=PATIENCE)
            page.wait_for_selector(".length-result[data-status=ready]", timeout=PATIENCE)
        return page

    yield open_page
    for context, problems in opened:
        context.close()
        assert problems == [], "errors in the console, or requests to other hosts"


@pytest.fixture
def page(open_page):
    return open_page()


def is_ours(address: str, url: str) -> bool:
    return address.startswith((url, "data:", "blob:"))


def source(page: Page) -> str:
    """The sentence as the page shows it, a cell a character."""
    cells = page.locator(".reader .sentence .letter.used").all_text_contents()
    return "".join(cells).replace("\u00a0", " ")


def written(page: Page, model: str) -> str:
    """The date that a model's strip shows."""
    return "".join(page.locator(f".reader .strip.{model} .written").all_text_contents())


def expect_source(page: Page, text: str) -> None:
    """Wait until the page shows the answer to a sentence."""
    expect(page.locator(".reader .frame > .visually-hidden")).to_have_text(
        f"Read: {text}" if text else "Nothing to read yet."
    )
