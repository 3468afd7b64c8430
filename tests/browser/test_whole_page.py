"""The page as a whole: accessibility, sizes, light and dark, what it loads."""

import re
from pathlib import Path

import pytest
from conftest import PATIENCE, expect_source
from playwright.sync_api import expect

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LONG = "word " * 17 + "1/2/2003"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_no_violation(open_page, scheme, width):
    page = open_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.get_by_role("radio", name="beam search").check()
    page.get_by_label("A sentence with a date in it").fill("Paid (Mar 5 2024) by card, 12/31/2019")
    expect(page.locator(".beam")).to_have_count(2)
    page.get_by_text("The map in words").click()
    page.get_by_role("button", name="Show the charts").click()
    page.wait_for_selector("#charts .js-plotly-plot")
    page.locator(".training-view").scroll_into_view_if_needed()
    page.wait_for_selector(".training-view[data-status=ready]", timeout=PATIENCE)
    for opened in page.locator(".figures summary").all():
        opened.click()
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)
    assert [(violation["id"], violation["nodes"][0]["html"]) for violation in found["violations"]] == []


@pytest.mark.parametrize("width", [390, 720, 1024, 1440, 1920])
def test_the_page_never_scrolls_sideways(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    page.get_by_label("A sentence with a date in it").fill(LONG)
    expect_source(page, LONG)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        """width => [...document.querySelectorAll('main *')]
          .filter(node => !node.closest('.frame, .table-frame, [hidden]'))
          .filter(node => node.getBoundingClientRect().right > width + 1)
          .map(node => node.tagName + '.' + node.className)""",
        width,
    )
    assert wide == [], "nothing is cut off at the right"


def brightness(page):
    script = "getComputedStyle(document.querySelector('.gradio-container')).backgroundColor"
    return sum(int(part) for part in re.findall(r"\d+", page.evaluate(script))[:3])


def test_dark_is_dark(open_page):
    assert brightness(open_page(color_scheme="light")) > 700
    assert brightness(open_page(color_scheme="dark")) < 120


def test_plotly_is_loaded_only_when_a_chart_is_shown(open_page):
    page = open_page()
    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    page.reload()
    page.wait_for_selector(".reader[data-status=ready]")
    assert not [address for address in loaded if "plotly" in address.lower()]
    page.get_by_role("button", name="Show the charts").click()
    page.wait_for_selector("#charts .js-plotly-plot")
    assert [address for address in loaded if "plotly" in address.lower()]
    expect(page.locator("#charts .js-plotly-plot")).to_have_count(4)


def test_charts_follow_the_training_set_once_they_are_open(page):
    page.get_by_role("button", name="Show the charts").click()
    bars = page.locator("#charts .js-plotly-plot").first
    before = bars.text_content()
    page.get_by_role("radio", name="lesson").check()
    expect(bars).not_to_have_text(before)


def test_the_page_explains_itself_to_a_screen_reader(page):
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert page.get_by_role("heading", level=2).count() == 8
    expect(page.get_by_role("group", name="attention wrote")).to_be_visible()
    expect(page.get_by_role("slider", name="Input length")).to_have_attribute("aria-valuetext", "34 characters")


def test_motion_can_be_reduced(open_page):
    page = open_page(reduced_motion="reduce")
    moving = page.evaluate(
        """[...document.querySelectorAll('main *')].filter(node => {
          const style = getComputedStyle(node);
          return parseFloat(style.transitionDuration) > 0 && style.transitionProperty !== 'none';
        }).map(node => node.className)"""
    )
    assert moving == []
