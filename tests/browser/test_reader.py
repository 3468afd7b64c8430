"""The live translation view: typing and all other ways to change a text, the answers, the map."""

import json
import time

import pytest
from conftest import PATIENCE, expect_source, source, start_app, written
from playwright.sync_api import expect

import seq2seq_demo as s2s

DATED = "due 7 february 1993"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "{{1+1}}",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "${1+1}",
    "`${alert(1)}`",
    "</textarea><svg onload=alert(1)>",
    "javascript:alert(1)",
    "[x](javascript:alert(1)) **b**",
    '"><iframe srcdoc="<script>alert(1)</script>">',
    "\\u003cb\\u003e \\x3cb\\x3e",
]


def text_box(page):
    return page.get_by_label("A sentence with a date in it")


def test_both_models_answer_what_is_typed(page):
    text_box(page).fill("")
    text_box(page).press_sequentially(DATED, delay=30)
    expect_source(page, DATED)
    for name in ("encoder-decoder", "attention"):
        assert written(page, name) == s2s.load_model(name).translate(DATED).text
    expect(page.locator(".expected")).to_have_text("Expected: 1993-02-07")
    assert page.locator(".reader .strip.attention .verdict").text_content().startswith(("✓", "✗"))


def test_backspace_delete_cut_and_paste(page):
    box = text_box(page)
    box.fill(DATED)
    expect_source(page, DATED)
    box.press("End")
    box.press("Backspace")
    expect_source(page, DATED[:-1])
    box.press("Home")
    box.press("Delete")
    expect_source(page, DATED[1:-1])
    box.press("Control+a")
    box.press("Control+x")
    expect(page.locator(".expected")).to_have_text("Type a sentence with a date in it.")
    box.press("Control+v")
    expect_source(page, DATED[1:-1])


def test_examples_random_and_clear(page):
    page.get_by_role("button", name="due 2019/3/9 ref 4411").click()
    expect_source(page, "due 2019/3/9 ref 4411")
    page.get_by_role("button", name="Clear").click()
    expect_source(page, "")
    assert written(page, "attention") == "·" * 10
    page.get_by_role("button", name="Random sentence").click()
    expect(page.locator(".expected")).to_contain_text("Expected:")
    assert s2s.find_reference(text_box(page).input_value()).text


def test_what_was_changed_and_why_there_is_no_date_is_said(page):
    text_box(page).fill("DUE 12.31.2019!")
    expect_source(page, "due 12/31/2019\N{REPLACEMENT CHARACTER}")
    expect(page.locator(".expected")).to_contain_text(
        "No date is expected: 12/31/2019 is a date only if read month first"
    )
    assert len(page.locator(".changes li").all()) == 3


def test_the_map_stands_under_the_sentence(page):
    text_box(page).fill(DATED)
    expect_source(page, DATED)
    cells = page.locator(".reader .sentence .letter.used")
    row = page.locator(".reader .map-row .weights").first.bounding_box()
    first, last = cells.first.bounding_box(), cells.last.bounding_box()
    assert row["x"] == pytest.approx(first["x"], abs=1)
    assert row["x"] + row["width"] == pytest.approx(last["x"] + last["width"], abs=1)
    outlines = page.locator(".reader .map-row .truth:visible")
    assert outlines.count() == 8
    year = outlines.first.bounding_box()
    digit = cells.nth(DATED.index("1993")).bounding_box()
    assert year["x"] + year["width"] / 2 == pytest.approx(digit["x"] + digit["width"] / 2, abs=2)


def test_the_dom_of_the_map_stays(page):
    page.evaluate("window.first = [...document.querySelectorAll('.reader *')]")
    for text in (DATED, "x", "a much longer sentence, 1/2/2003, than the one before it"):
        text_box(page).fill(text)
        page.wait_for_function(
            "text => document.querySelector('.frame > p').textContent.length === text.length + 6",
            arg=text.replace(",", ""),
        )
    assert page.evaluate(
        "window.first.filter(node => node.matches('.frame, .frame *')).every(node => node.isConnected)"
    )


def test_arrow_keys_walk_along_an_answer_and_light_what_it_looked_at(page):
    text_box(page).fill(DATED)
    expect_source(page, DATED)
    cells = page.locator(".reader .strip.attention .cells button")
    cells.first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(cells.nth(3)).to_be_focused()
    expect(page.locator(".reader .map-row.active")).to_have_count(1)
    expect(page.locator(".detail")).to_contain_text("attention wrote 3 with probability")
    lit = page.evaluate(
        "[...document.querySelectorAll('.reader .letter.used')].map(n => Number(n.style.getPropertyValue('--w')))"
    )
    assert lit == pytest.approx(s2s.load_model("attention").translate(DATED).attention[3].tolist(), abs=0.01)
    page.keyboard.press("End")
    expect(cells.nth(9)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(cells.nth(0)).to_be_focused()


def test_pointing_at_the_map_shows_the_weight(page):
    page.locator(".reader .map-row .weights").first.hover(position={"x": 300, "y": 10})
    expect(page.locator(".detail")).to_contain_text("Weight on")


def test_the_map_in_words(page):
    text_box(page).fill(DATED)
    expect_source(page, DATED)
    page.get_by_text("The map in words").click()
    steps = page.locator(".in-words li")
    assert steps.count() == 10
    assert "of the year looked at" in steps.first.text_content()


def test_greedy_or_beam(page):
    page.get_by_role("radio", name="beam search").check()
    expect(page.locator(".reader .strip.attention")).to_contain_text("A beam of 5")
    expect(page.locator(".beam.attention li")).to_have_count(5)
    page.get_by_role("slider", name="Beam width").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".reader .strip.attention")).to_contain_text("A beam of 6")
    page.get_by_role("radio", name="greedy").check()
    expect(page.locator(".beam")).to_have_count(0)


def test_the_training_set_changes_the_whole_page(page):
    before = page.locator(".length-curve .line.attention").get_attribute("d")
    page.get_by_role("radio", name="lesson").check()
    expect(page.locator(".ranked-summary")).to_contain_text("training set lesson")
    expect(page.locator(".length-curve .line.attention")).not_to_have_attribute("d", before)
    lesson = s2s.load_model("encoder-decoder", "lesson").translate(text_box(page).input_value()).text
    expect(page.get_by_role("group", name=f"encoder-decoder wrote {lesson}")).to_be_visible()


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_typed_is_text_and_nothing_else(page, text):
    page.on("dialog", lambda dialog: pytest.fail(f"{text} ran"))
    elements = page.evaluate("document.querySelectorAll('script, iframe, img, svg').length")
    text_box(page).fill(text)
    read = s2s.load_model("attention").translate(text).source
    expect_source(page, read)
    assert source(page) == read
    assert text_box(page).input_value() == text
    assert page.evaluate("document.querySelectorAll('script, iframe, img, svg').length") == elements


def test_a_long_sentence_scrolls_in_its_own_frame(page):
    text = ("word " * 17 + "1/2/2003").strip()
    text_box(page).fill(text)
    expect_source(page, text)
    frame = page.locator(".reader .frame")
    assert frame.evaluate("node => node.scrollWidth > node.clientWidth")
    frame.evaluate("node => (node.scrollLeft = 10000)")
    label, box = page.locator(".row-character").first.bounding_box(), frame.bounding_box()
    assert box["x"] <= label["x"] < box["x"] + 100, "the rows' labels are held"
    expect(page.locator(".changes")).to_contain_text("Longer than the 48 characters of training")


def test_no_older_answer_overwrites_a_newer_one(open_page):
    page = open_page()
    delays = iter([900, 0, 700, 300, 0, 500] * 10)

    def slow(route):
        time.sleep(next(delays) / 1000)
        route.continue_()

    page.route("**/run/predict*", slow)
    for end in range(1, len(DATED) + 1, 3):
        text_box(page).fill(DATED[:end])
    text_box(page).fill(DATED)
    expect_source(page, DATED)
    page.wait_for_timeout(1500)
    expect_source(page, DATED)
    page.unroute("**/run/predict*")


def test_few_calls_are_made_however_fast_one_types(page):
    calls = []
    page.on("request", lambda request: calls.append(request.post_data) if "/run/predict" in request.url else None)
    text_box(page).fill("")
    text_box(page).press_sequentially("invoice of 7 february 1993 from the shop")
    expect_source(page, "invoice of 7 february 1993 from the shop")
    assert len(calls) <= 45
    assert json.loads(calls[-1])["data"][0] == "invoice of 7 february 1993 from the shop"


def test_what_is_typed_while_the_models_load_is_not_lost(browser):
    app, url = start_app()
    page = browser.new_page()
    try:
        page.goto(url)
        page.wait_for_selector(".reader")
        assert (
            written(page, "attention")
            == s2s.load_model("attention").translate("order 21 item 45 07/02/1993 id seq").text
        )
        text_box(page).fill(DATED)
        page.wait_for_selector(".reader[data-status=ready]", timeout=PATIENCE)
        expect_source(page, DATED)
        assert text_box(page).input_value() == DATED
        assert written(page, "attention") == s2s.load_model("attention").translate(DATED).text
    finally:
        page.close()
        app.terminate()
        app.wait(30)


def test_on_a_phone_the_date_is_brought_into_the_frame(open_page):
    page = open_page(viewport={"width": 390, "height": 844})
    text = "smith and weiss family trust under deed of trust dated 12/1/1994"
    text_box(page).fill(text)
    expect_source(page, text)
    frame = page.locator(".reader .frame").bounding_box()
    for digit in (page.locator(".letter.dated").first, page.locator(".letter.dated").last):
        box = digit.bounding_box()
        assert frame["x"] < box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
