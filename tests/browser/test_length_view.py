"""The length view: the marker follows at once, the live measurement as fast as it can."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import expect

LIVE = ".length-result[data-status=ready]"


def slider(page):
    return page.get_by_role("slider", name="Input length")


def test_the_marker_moves_in_the_same_frame_and_the_result_follows(page):
    before = page.locator(".length-curve .mark-line").get_attribute("x1")
    moved = page.evaluate(
        """() => {
          const slider = document.querySelector('#length');
          slider.value = 20;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          return document.querySelector('.length-curve .mark-line').getAttribute('x1');
        }"""
    )
    assert float(moved) < float(before)
    expect(page.locator(f"{LIVE}[data-length='20'] .figure")).to_have_count(2)
    told = ["of 200 exactly right; 95% interval"] * 2
    expect(page.locator(".length-result .interval")).to_contain_text(told)
    expect(page.locator(".length-curve .dot.live.now.attention")).to_have_count(1)


def test_past_48_is_marked(page):
    slider(page).focus()
    page.keyboard.press("End")
    expect(page.locator(".length-foot")).to_contain_text("64 characters; longer than anything in training")
    expect(page.locator(f"{LIVE}[data-length='64'] .figure")).to_have_count(2, timeout=60_000)
    sources = page.locator(".failed-source").all_text_contents()
    assert all(len(text) == 64 for text in sources if text)


def test_dragging_fast_does_not_pile_up_work(page):
    calls = []
    page.on("request", lambda request: calls.append(request) if "/run/predict" in request.url else None)
    box = slider(page).bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.9, middle)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(box["x"] + box["width"] * (0.9 - step * 0.012), middle)
    page.mouse.up()
    final = slider(page).input_value()
    expect(page.locator(f"{LIVE}[data-length='{final}']")).to_have_count(1)
    page.wait_for_timeout(500)
    assert len(calls) < 40, "calls are made one at a time, and those in between are left out"


def test_other_sentences_can_be_drawn(page):
    before = page.locator(".failed-source").all_text_contents()
    page.get_by_role("button", name="Draw 200 others").click()
    page.wait_for_function(
        "before => [...document.querySelectorAll('.failed-source')].map(n => n.textContent).join() !== before.join()",
        arg=before,
    )


@pytest.mark.parametrize("key", ["ArrowLeft", "ArrowRight", "Home", "PageUp"])
def test_the_slider_works_by_keyboard(page, key):
    before = slider(page).input_value()
    slider(page).focus()
    page.keyboard.press(key)
    now = slider(page).input_value()
    assert now != before
    expect(page.locator(f"{LIVE}[data-length='{now}']")).to_have_count(1)


def choose(page, name):
    page.get_by_role("radio", name=name, exact=True).check()


def test_filler_alone_keeps_the_date_and_the_live_points(page):
    choose(page, "filler alone")
    expect(page.locator(f"{LIVE}[data-grows=filler]")).to_have_count(1)
    expect(slider(page)).to_have_attribute("max", "96")
    date = page.locator(".sample .date").text_content()
    slider(page).focus()
    for presses, length in ((1, 36), (1, 38)):
        for _ in range(presses):
            page.keyboard.press("ArrowRight")
        expect(page.locator(f"{LIVE}[data-length='{length}'][data-grows=filler] .figure")).to_have_count(2)
        assert slider(page).input_value() == str(length)
        assert page.locator(".sample .date").text_content() == date
        assert len(page.locator(".sample code").text_content()) == length
        assert page.locator(".sample .after").text_content() == "", "before the date, and nowhere else"
    for name in ("encoder-decoder", "attention"):
        expect(page.locator(f".length-curve .dot.live.{name}")).to_have_count(3)
        expect(page.locator(f".length-curve .dot.live.now.{name}")).to_have_count(1)
        expect(page.locator(f".length-curve .segment.live.{name}")).to_have_count(3)
    choose(page, "after the date")
    expect(page.locator(".sample .before")).to_have_text("")
    assert page.locator(".sample .date").text_content() == date
    expect(page.locator(".length-curve .dot.live.attention")).to_have_count(1)


def test_filler_goes_to_96_by_keyboard_and_a_written_date_starts_at_16(page):
    choose(page, "filler alone")
    choose(page, "written")
    slider(page).focus()
    page.keyboard.press("End")
    expect(slider(page)).to_have_attribute("aria-valuetext", "96 characters; longer than anything in training")
    expect(page.locator(f"{LIVE}[data-length='96'] .figure")).to_have_count(2, timeout=60_000)
    page.keyboard.press("Home")
    expect(slider(page)).to_have_attribute("aria-valuetext", "16 characters")
    expect(page.locator(f"{LIVE}[data-length='16'] .figure")).to_have_count(2)
    choose(page, "natural sentences")
    expect(slider(page)).to_have_attribute("max", "64")
    expect(page.get_by_role("radio", name="written", exact=True)).to_be_disabled()


def test_the_kinds_of_sentence_are_chosen_by_keyboard(page):
    page.get_by_role("radio", name="natural sentences").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="filler alone")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="before the date")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".seen")).to_contain_text("With filler alone, after a written date")
    page.keyboard.press("Tab")
    expect(slider(page)).to_be_focused()


def test_the_chart_saves_what_it_shows(page):
    choose(page, "filler alone")
    expect(page.locator(f"{LIVE}[data-grows=filler]")).to_have_count(1)
    section = page.locator("#section-length")
    with page.expect_download() as download:
        section.get_by_role("button", name="Download CSV").click()
    assert download.value.suggested_filename == "exact-match-by-length-everyday-64-numeric-before.csv"
    rows = list(csv.DictReader(Path(download.value.path()).read_text("utf-8").splitlines()))
    published = [row for row in rows if row["source"] == "published"]
    assert [int(row["length"]) for row in published] == 2 * list(range(10, 97, 2))
    live = [row for row in rows if row["source"] == "live"]
    assert [float(row["exact_match"]) for row in live] == [
        float(text) for text in page.locator(".length-result .figure").all_text_contents()
    ]
    with page.expect_download() as download:
        section.get_by_role("button", name="Download PNG").click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
