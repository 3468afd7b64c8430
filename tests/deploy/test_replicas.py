"""Three copies of the app behind nginx: any of them answers any call, and one may be killed under load."""

import json
import subprocess
import tempfile
import threading
import time
import urllib.request
from itertools import cycle
from pathlib import Path

import pytest
from gradio_client import Client
from playwright.sync_api import expect, sync_playwright

from bench.chromium import launch
from seq2seq_demo.corpus import random_rows
from tests.deploy.replicas import PATIENCE, Copy, Nginx, answers, wait_for

THREADS = 6
TEXTS = [row.source for row in random_rows("everyday", 12, 1)]


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.load(response)["data"][0]


def translate(url, text):
    """What a program is answered."""
    return post(f"{url}/gradio_api/run/translate", {"data": [text, "attention", "everyday", "greedy", 1]})["text"]


@pytest.fixture(scope="module")
def copies():
    copies = [Copy() for _ in range(3)]
    for copy in copies:
        copy.start()
    try:
        for copy in copies:
            copy.wait()
        yield copies
    finally:
        for copy in copies:
            copy.kill()


@pytest.fixture(scope="module")
def nginx(copies):
    # Not pytest's own folder: nginx's workers are another user and may not enter it.
    with tempfile.TemporaryDirectory(prefix="nginx-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        nginx = Nginx(folder, copies)
        process = subprocess.Popen(nginx.run("-g", "daemon off;"))
        try:
            wait_for(lambda: answers(f"{nginx.url}/gradio_api/startup-events"), "nginx")
            yield nginx
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture(scope="module")
def live(nginx):
    """A function that asks as the page does while a person types."""
    config = json.load(urllib.request.urlopen(f"{nginx.url}/config", timeout=PATIENCE))
    private = [each for each in config["dependencies"] if each["api_visibility"] == "private"]
    index = next(each["id"] for each in private if len(each["inputs"]) == 5)

    def live(url, text):
        body = {"data": [text, "everyday", "greedy", 1, 64], "fn_index": index}
        payload = json.loads(post(f"{url}/gradio_api/run/predict", body))
        return next(model["text"] for model in payload["models"] if model["name"] == "attention")

    return live


@pytest.fixture(scope="module")
def right(copies):
    """The right answers, from each copy by itself; they agree."""
    found = [[translate(copy.url, text) for text in TEXTS] for copy in copies]
    assert found[0] == found[1] == found[2]
    return dict(zip(TEXTS, found[0], strict=True))


class Load:
    """Threads that ask and compare without a pause, until stopped."""

    def __init__(self, ask, right):
        self.done, self.failed, self.stopped = [], [], threading.Event()
        self.threads = [
            threading.Thread(target=self._run, args=(ask[index % len(ask)], right, index)) for index in range(THREADS)
        ]

    def _run(self, ask, right, index):
        for text in cycle(TEXTS[index:] + TEXTS[:index]):
            if self.stopped.is_set():
                return
            start, problem = time.monotonic(), None
            try:
                found = ask(text)
                problem = None if found == right[text] else f"{text!r}: {found!r}"
            except Exception as error:  # the test looks at whatever went wrong
                problem = repr(error)
            self.done.append((start, time.monotonic()))
            if problem:
                self.failed.append((start, time.monotonic(), problem))

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *exception):
        self.stopped.set()
        for thread in self.threads:
            thread.join(PATIENCE)

    def wait(self, more):
        before = len(self.done)
        wait_for(lambda: len(self.done) >= before + more, f"{more} answers")


def test_nginx_takes_the_configuration(nginx):
    done = subprocess.run(nginx.run("-t"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_calls_go_to_all_copies_in_turn(nginx, copies, right):
    start = len(nginx.asked())
    for text in TEXTS:
        assert translate(nginx.url, text) == right[text]

    def asked():
        return [ports for line, ports in nginx.asked(start) if "/run/translate" in line]

    # nginx writes its line after the answer.
    wait_for(lambda: len(asked()) == len(TEXTS), "the log")
    for copy in copies:
        assert asked().count([copy.port]) == len(TEXTS) / 3


def test_the_queues_callers_stay_with_one_copy(nginx, right):
    start = len(nginx.asked())
    for text in TEXTS[:4]:
        client = Client(nginx.url, verbose=False)
        found = client.predict(text, "attention", "everyday", "greedy", 1, api_name="/translate")
        assert found["text"] == right[text]
    asked = [ports for line, ports in nginx.asked(start) if "/gradio_api/queue/" in line]
    assert len(asked) >= 8
    assert len({tuple(ports) for ports in asked}) == 1


def test_one_copy_is_killed_under_load(nginx, copies, live, right):
    ask = [lambda text: translate(nginx.url, text), lambda text: live(nginx.url, text)]
    victim = copies[1]
    start = len(nginx.asked())
    with sync_playwright() as play, launch(play) as browser, Load(ask, right) as load:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        problems = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(nginx.url)
        page.wait_for_selector(".reader[data-status=ready]", timeout=PATIENCE * 1000)
        read = page.locator(".reader .frame > .visually-hidden")
        loads = page.evaluate("performance.timeOrigin")
        load.wait(60)

        killed = time.monotonic()
        victim.kill()
        for text in TEXTS[:6]:
            page.locator("#text textarea").fill(text)
            expect(read).to_have_text(f"Read: {text}", timeout=PATIENCE * 1000)
            strip = page.locator(".reader .strip.attention .written")
            expect(strip).to_have_text(list(right[text]), timeout=PATIENCE * 1000)
        load.wait(60)
        assert problems == []
        assert page.evaluate("performance.timeOrigin") == loads, "the page was loaded again"

    # An answer that is half sent when its copy dies cannot be asked for again; all others can, and are.
    in_flight = [begun for begun, ended in load.done if begun <= killed <= ended]
    assert len(load.failed) <= len(in_flight) <= THREADS
    assert all(begun <= killed <= ended for begun, ended, _ in load.failed), load.failed

    before = [ports for line, ports in nginx.asked(start) if "/run/" in line][:60]
    assert {port for ports in before for port in ports} == {copy.port for copy in copies}
    answered = [ports[-1] for line, ports in nginx.asked(start) if "/run/" in line][-40:]
    assert set(answered) == {copies[0].port, copies[2].port}


def test_a_copy_that_is_back_is_asked_again(nginx, copies, right):
    returned = copies[1]
    if returned.process.poll() is None:
        returned.kill()
    returned.start()
    returned.wait()
    start = len(nginx.asked())

    def asked_again():
        assert translate(nginx.url, TEXTS[0]) == right[TEXTS[0]]
        return any(ports == [returned.port] for _, ports in nginx.asked(start))

    wait_for(asked_again, "the copy to be asked")
