"""`make bench-page`: what a key, a slider move and a start cost, from the press to the pixels, in a real Chromium."""

import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np
from playwright.sync_api import CDPSession, Page, sync_playwright

from bench.chromium import launch
from seq2seq_demo.alphabet import read

KEYS_A_SECOND = 8
# Typed with a correction in the middle, then deleted.
PHRASES = (
    "order 21 item 45 07/02/1993 id seq",
    "paid on 3 march 2024 by card no 77",
    "due 2019/3/9 ref 4411 of the shop",
)

# Takes the time from a key's event until a frame has been drawn in which `selector` has the expected text.
WATCH = """
([selector, event]) => {
  const bench = (window.bench = { started: null, wanted: null, times: [] });
  const afterPaint = (done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(null);
  });
  const check = () => {
    if (bench.started === null || document.querySelector(selector)?.textContent.trim() !== bench.wanted?.trim()) return;
    const { started } = bench;
    bench.started = null;
    afterPaint(() => bench.times.push(performance.now() - started));
  };
  document.addEventListener(event, () => { if (bench.wanted !== null) bench.started ??= performance.now(); }, true);
  new MutationObserver(check).observe(document.body, { subtree: true, childList: true, characterData: true });
}
"""


def main() -> None:
    with sync_playwright() as play:
        browser = launch(play)
        with serving("bench.page_server") as (url, process):
            page = opened(browser.new_page(viewport={"width": 1440, "height": 900}), url)
            noop = type_keys(page, "#noop textarea, #noop input", "#noop-shown", lambda text: text, 200)
            live = type_keys(page, "#text textarea, #text input", ".reader .frame > .visually-hidden", spoken, 200)
            print("From key to repainted page, 200 keys at eight a second, deletions included")
            report("a no-op event", noop)
            report("the live view, both models", live)
            print(f"  live / no-op, median: {statistics.median(live) / statistics.median(noop):.2f}")
            slide(page)
            keep_still(page, process)
            page.close()
        with serving("bench.page_server", "--loop") as (url, _):
            page = opened(browser.new_page(viewport={"width": 1440, "height": 900}), url)
            read = ".reader .frame > .visually-hidden"
            loop = type_keys(page, "#text textarea, #text input", read, spoken, 12, wait=True)
            report("the lesson's loop behind the same handler", loop)
            print(f"  loop / live, median: {statistics.median(loop) / statistics.median(live):.1f}")
        weigh(browser)
        browser.close()
    start()


def spoken(text: str) -> str:
    source = read(text).source
    return f"Read: {source}" if source else "Nothing to read yet."


def strokes() -> Iterator[tuple[str, str]]:
    """Keys without end, each with the text that it leaves behind."""
    while True:
        for phrase in PHRASES:
            text, half = "", len(phrase) // 2
            for key in [*phrase, *["Backspace"] * half, *phrase[-half:], *["Backspace"] * len(phrase)]:
                text = text[:-1] if key == "Backspace" else text + key
                yield key, text


def type_keys(page: Page, box: str, shown: str, expected, count: int, *, wait: bool = False) -> list[float]:
    """Type at eight keys a second and return the milliseconds from each key to the painted answer.

    A key that changes nothing in what is read (a space at the end) has no answer to wait for and is left out.
    """
    page.locator(box).first.fill("")
    page.wait_for_timeout(500)
    page.evaluate(WATCH, [shown, "keydown"])
    page.locator(box).first.focus()
    before, timed, due = expected(""), 0, time.perf_counter()
    for key, text in strokes():
        wanted = expected(text)
        page.evaluate(
            "wanted => { bench.wanted = wanted; bench.started = null; }", wanted if wanted != before else None
        )
        timed += wanted != before
        page.keyboard.press("Space" if key == " " else key)
        before = wanted
        due = max(due + 1 / KEYS_A_SECOND, time.perf_counter())
        if wait:
            page.wait_for_function("bench.started === null", timeout=60_000)
        page.wait_for_timeout(max(0.0, (due - time.perf_counter()) * 1e3))
        if timed == count:
            break
    page.wait_for_timeout(1000)
    times = page.evaluate("bench.times")
    if len(times) < 0.95 * count:
        print(f"  only {len(times)} of {count} keys were answered before the next one came")
    return times


def slide(page: Page) -> None:
    """Slider to marker, and slider to the live result of 200 fresh sentences on both models."""
    page.evaluate(
        """() => {
          window.slides = { marker: [], result: [], at: 0 };
          const slider = document.querySelector("#length");
          const marker = document.querySelector(".length-curve .mark-line");
          slider.addEventListener("input", () => {
            slides.at = performance.now();
            const before = marker.getAttribute("x1");
            requestAnimationFrame(() => slides.marker.push(marker.getAttribute("x1") === before ? 0 : 1));
          }, true);
          const result = document.querySelector(".length-result");
          new MutationObserver(() => {
            if (slides.at && result.dataset.length === slider.value) {
              const at = slides.at;
              slides.at = 0;
              requestAnimationFrame(() => setTimeout(() => slides.result.push(performance.now() - at)));
            }
          }).observe(result, { attributes: true });
        }"""
    )
    page.locator("#length").focus()
    for index in range(60):
        page.keyboard.press("ArrowRight" if index % 40 < 20 else "ArrowLeft")
        page.wait_for_function("slides.at === 0", timeout=20_000)
        page.wait_for_timeout(50)
    found = page.evaluate("slides")
    print("From slider move, 60 moves of one character")
    print(f"  marker moved by the next frame: {sum(found['marker'])} of {len(found['marker'])}")
    report("live result of 200 fresh sentences, both models", found["result"])


def keep_still(page: Page, process: subprocess.Popen) -> None:
    """500 updates must leave nodes, listeners and the server's memory where they were."""
    client = page.context.new_cdp_session(page)
    type_freely(page, 60)
    before, memory = counters(client), resident(process)
    type_freely(page, 500)
    after, grown = counters(client), resident(process)
    print("After 500 updates")
    for name in ("Nodes", "JSEventListeners", "JSHeapUsedSize"):
        print(f"  {name:18} {before[name]:12.0f} -> {after[name]:12.0f}   x{after[name] / before[name]:.3f}")
    print(f"  {'server, resident':18} {memory / 1e6:10.1f}MB -> {grown / 1e6:10.1f}MB   x{grown / memory:.3f}")


def type_freely(page: Page, count: int) -> None:
    """Keys as fast as they are answered. Real ones: setting the text by script grows the browser's undo history."""
    box = page.locator("#text textarea, #text input").first
    box.fill("")
    box.focus()
    for key, text in islice(strokes(), count):
        page.keyboard.press("Space" if key == " " else key)
        page.wait_for_function(
            "text => document.querySelector('.reader .frame > .visually-hidden').textContent === text", arg=spoken(text)
        )
    box.fill("order 21 item 45 07/02/1993 id seq")  # the same sentence whatever came before
    page.wait_for_timeout(500)


def counters(client: CDPSession) -> dict[str, float]:
    client.send("Performance.enable")
    client.send("HeapProfiler.collectGarbage")
    client.send("HeapProfiler.collectGarbage")
    return {metric["name"]: metric["value"] for metric in client.send("Performance.getMetrics")["metrics"]}


def resident(process: subprocess.Popen) -> float:
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def weigh(browser) -> None:
    """Compressed bytes of the page until it is live, and that Plotly is not among them."""
    with serving("app") as (url, _):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        client = page.context.new_cdp_session(page)
        client.send("Network.enable")
        sizes: list[float] = []
        addresses: list[str] = []
        client.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.on("request", lambda request: addresses.append(request.url))
        opened(page, url)
        page.wait_for_timeout(2000)
        plotly = [address for address in addresses if "plotly" in address.lower()]
        weight = f"{sum(sizes) / 1e3:.0f} KB compressed, {len(addresses)} requests"
        print(f"Page without charts: {weight}, Plotly: {plotly or 'not loaded'}")
        page.close()


def start() -> None:
    """Start beside the bare imports, in turn, three times."""
    pages, answers, imports, both = [], [], [], []
    for _ in range(3):
        imports.append(timed_import("import gradio"))
        both.append(timed_import("import gradio, tensorflow"))
        began = time.perf_counter()
        with serving("app") as (url, _):
            pages.append(time.perf_counter() - began)
            translate(url)
            answers.append(time.perf_counter() - began)
    rows = {"import gradio": imports, "import gradio, tensorflow": both, "page is up": pages, "live answer": answers}
    print("Start, medians of 3 in one run")
    for name, times in rows.items():
        print(f"  {name:28} {statistics.median(times):6.2f} s")
    print(f"  page up after import gradio alone: {statistics.median(pages) - statistics.median(imports):+.2f} s")
    print(f"  live answer / both bare imports: {statistics.median(answers) / statistics.median(both):.2f}")


def timed_import(statement: str) -> float:
    began = time.perf_counter()
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    subprocess.run([sys.executable, "-c", statement], check=True, env=environment)
    return time.perf_counter() - began


def translate(url: str) -> None:
    """Ask over HTTP until a model answers."""
    body = b'{"data": ["7 feb 1993", "attention", "everyday", "greedy", 1]}'
    while True:
        request = urllib.request.Request(f"{url}gradio_api/run/translate", body, {"Content-Type": "application/json"})
        try:
            answer = urllib.request.urlopen(request, timeout=60).read()
        except OSError:
            answer = b""
        if b"1993-02-07" in answer:
            return
        time.sleep(0.02)


@contextmanager
def serving(module: str, *arguments: str) -> Iterator[tuple[str, subprocess.Popen]]:
    """Run a module that serves the page; gives its address as soon as the page is there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1"}
    process = subprocess.Popen([sys.executable, "-m", module, *arguments], env=environment, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/"
    try:
        while True:
            try:
                urllib.request.urlopen(url, timeout=30).read()
                break
            except OSError:
                if process.poll() is not None:
                    raise RuntimeError(f"{module} ended with status {process.returncode}") from None
                time.sleep(0.01)
        yield url, process
    finally:
        process.terminate()
        process.wait(30)


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    page.wait_for_selector(".reader[data-status=ready]", timeout=120_000)
    page.wait_for_selector(".length-result[data-status=ready]", timeout=120_000)
    page.wait_for_timeout(12_000)  # let the rest of the shapes compile
    return page


def report(name: str, milliseconds: list[float]) -> None:
    middle, high = statistics.median(milliseconds), np.percentile(milliseconds, 95)
    print(f"  {name:48} median {middle:7.1f} ms   95%: {high:7.1f} ms   ({len(milliseconds)})", flush=True)


if __name__ == "__main__":
    main()
