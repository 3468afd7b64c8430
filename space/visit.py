"""Visits the rehearsed Space with Chromium, as a person would, and checks what each thing did."""

import time
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Page, expect

DATED = "due 7 february 1993"
ANSWER = "1993-02-07"
# Milliseconds: a busy machine is slow, not wrong.
_PATIENCE = 300_000

expect.set_options(timeout=_PATIENCE)


@dataclass
class Visit:
    """What a visit saw.

    Attributes:
        url: the server.
        first_page: seconds from the process's start to the box to type in; None if it was never seen.
        first_answer: seconds from the process's start to a live answer to what was typed then.
        kilobytes: of the page until it is live, with nothing cached, over the wire.
        requests: that these took.
        hosts: other hosts that the page wanted anything from.
        done: what was tried and had its effect.
        problems: what went wrong, a line each.
    """

    url: str
    first_page: float | None = None
    first_answer: float | None = None
    kilobytes: float = 0.0
    requests: int = 0
    hosts: dict[str, None] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def visit(browser: Browser, seen: Visit, began: float, picture: str | None = None) -> None:
    """Open the page, type, toggle, slide and sort, then weigh the page; never raises for what the page does.

    Args:
        browser: where the page is opened.
        seen: where all is noted; its server accepts connections already.
        began: when the server's process was started, on the clock of `time.monotonic`.
        picture: where to write what the page looked like at the end.
    """
    page = _open(browser, seen)
    steps = {"typed": _type, "toggled": _toggle, "slid": _slide, "sorted": _sort, "weighed": _weigh}
    for name, step in steps.items():
        try:
            step(page, seen, began)
            seen.done.append(name)
        except (Error, AssertionError) as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            seen.problems.append(f"not {name}: {' '.join(lines[:3])}")
            break  # there is nothing to be seen on a page that does not work
    with suppress(Error):  # a page that has crashed was told of above
        # A browser connects to these without a request that could be seen.
        hints = "link[rel~=preconnect], link[rel=dns-prefetch]"
        for address in page.eval_on_selector_all(hints, "found => found.map(link => link.href)"):
            _asked(address, seen)
        if picture:
            page.screenshot(path=picture, full_page=True)
        page.context.close()


def _open(browser: Browser, seen: Visit) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(_PATIENCE)
    page.on("console", lambda message: _note(seen, f"in the console: {message.text}", message.type == "error"))
    page.on("pageerror", lambda error: _note(seen, f"in the page: {error}"))
    page.on("request", lambda request: _asked(request.url, seen))
    page.on("websocket", lambda opened: _asked(opened.url, seen))
    return page


def _note(seen: Visit, problem: str, is_one: bool = True) -> None:
    if is_one and problem not in seen.problems:
        seen.problems.append(problem)


def _asked(address: str, seen: Visit) -> None:
    """Note what the page asks for if it is not the Space itself that it asks."""
    host = urlsplit(address).netloc
    if host not in {"", urlsplit(seen.url).netloc}:
        seen.hosts[host] = None
        _note(seen, f"the page asks for {address}")


def _type(page: Page, seen: Visit, began: float) -> None:
    page.goto(seen.url)
    box = page.get_by_label("A sentence with a date in it")
    box.wait_for()
    seen.first_page = time.monotonic() - began
    box.fill("")
    box.press_sequentially(DATED, delay=30)
    page.wait_for_selector(".reader[data-status=ready]")
    expect(page.locator(".reader .frame > .visually-hidden")).to_have_text(f"Read: {DATED}")
    # The letters' own elements: the strip says more than the date.
    written = page.locator(".reader .strip.attention .written")
    expect(written).to_have_text(list(ANSWER))
    seen.first_answer = time.monotonic() - began


def _toggle(page: Page, seen: Visit, began: float) -> None:
    page.get_by_role("radio", name="beam search").check()
    expect(page.locator(".reader .beam.attention li")).to_have_count(5)
    page.get_by_role("radio", name="greedy").check()
    expect(page.locator(".beam")).to_have_count(0)
    before = page.locator(".length-curve .line.attention").get_attribute("d") or ""
    page.get_by_role("radio", name="lesson", exact=True).check()
    expect(page.locator(".ranked-summary")).to_contain_text("training set lesson")
    expect(page.locator(".length-curve .line.attention")).not_to_have_attribute("d", before)


def _slide(page: Page, seen: Visit, began: float) -> None:
    page.wait_for_selector(".length-result[data-status=ready]")
    marker = page.locator(".length-curve .mark-line")
    slider = page.get_by_role("slider", name="Input length")
    at, value = marker.get_attribute("x1") or "", int(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(value - 1))
    expect(marker).not_to_have_attribute("x1", at)
    page.wait_for_selector(f".length-result[data-status=ready][data-length='{value - 1}']")


def _sort(page: Page, seen: Visit, began: float) -> None:
    head = page.locator(".ranked thead th").filter(has_text="Parameters")
    for order, key in (("descending", lambda number: -number), ("ascending", lambda number: number)):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order)
        shown = _numbers(page)
        assert len(set(shown)) > 1, "the table has rows to sort"
        assert shown == sorted(shown, key=key), f"the rows are {order} by their parameters: {shown}"


def _numbers(page: Page) -> list[int]:
    return [int(text.replace(",", "")) for text in page.locator(".ranked td.parameters .number").all_text_contents()]


def _weigh(before: Page, seen: Visit, began: float) -> None:
    assert before.context.browser
    page = _open(before.context.browser, seen)
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    sizes: list[float] = []
    client.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(seen.url)
    page.wait_for_selector(".reader[data-status=ready]")
    page.wait_for_selector(".length-result[data-status=ready]")
    page.wait_for_timeout(1000)
    seen.kilobytes, seen.requests = sum(sizes) / 1e3, len(sizes)
    page.context.close()
