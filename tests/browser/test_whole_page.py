"""The page as a whole: accessibility, sizes, light and dark, what it loads."""

import csv
import re
from pathlib import Path

import pytest
from conftest import PATIENCE, expect_source, source, written
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


def test_the_width_is_chosen_for_the_whole_page(page):
    page.get_by_role("radio", name="16", exact=True).check()
    expect(page.locator(".reader[data-status=ready] .strip.encoder-decoder .looked:not(:empty)")).to_contain_text(
        "of 16 numbers", timeout=60_000
    )
    expect(page.locator(".length-result[data-status=ready][data-width='16']")).to_have_count(1, timeout=60_000)
    expect(page.locator("#section-translation .chosen-width")).to_have_text("16")
    assert page.evaluate("document.documentElement.dataset.width") == "16"
    assert "width 16" not in page.locator("#width-note").text_content()


def test_a_width_that_the_training_set_lacks_gives_way(page):
    heard = "window.heard = []; for (const name of ['training', 'width'])"
    page.evaluate(f"{heard} document.addEventListener(name, ({{ detail }}) => heard.push([name, detail]))")
    page.get_by_role("radio", name="16", exact=True).check()
    page.get_by_role("radio", name="lesson").check()
    expect(page.get_by_role("radio", name="64", exact=True)).to_be_checked()
    expect(page.get_by_role("radio", name="16", exact=True)).to_be_disabled()
    expect(page.locator("#width-note")).to_have_text("The lesson set has models of width 64 only.")
    expect(page.locator(".reader[data-status=ready] .strip.encoder-decoder .looked:not(:empty)")).to_contain_text(
        "of 64 numbers"
    )
    page.get_by_role("radio", name="everyday").check()
    expect(page.get_by_role("radio", name="16", exact=True)).to_be_enabled()
    expect(page.locator("#width-note")).to_have_text("")
    heard = [change for change in page.evaluate("window.heard") if change != ["training", "everyday"]]
    assert heard[-3:] == [["width", "16"], ["training", "lesson"], ["width", "64"]]


def test_every_chart_is_saved_as_picture_and_numbers(page):
    page.get_by_role("button", name="Show the charts").click()
    page.get_by_role("button", name="The map as a figure").click()
    page.wait_for_selector("#charts .js-plotly-plot")
    page.wait_for_selector("#map-figure .js-plotly-plot")
    for chart, name in (
        ("three-scores", "three-scores-everyday-64"),
        ("accuracy-by-epoch", "accuracy-by-epoch-everyday-64"),
        ("exact-by-band", "exact-by-band-everyday-64"),
        ("loss-by-epoch", "loss-by-epoch-everyday-64"),
        ("map-plot", "attention-map"),
    ):
        buttons = page.locator(f"#{chart}-downloads")
        for kind, begins in (("CSV", b"s"), ("PNG", b"\x89PNG")):
            with page.expect_download() as download:
                buttons.get_by_role("button", name=f"Download {kind}").click()
            assert download.value.suggested_filename == f"{name}.{kind.lower()}"
            assert Path(download.value.path()).read_bytes().startswith(begins)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV of the attention weights").click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text("utf-8").splitlines()))
    assert len(rows) == 10 * len(source(page))
    for step in range(1, 11):
        weights = [float(row["weight"]) for row in rows if int(row["step"]) == step]
        assert abs(sum(weights) - 1) < 0.03
    assert "".join(row["written"] for row in rows if row["position"] == "1") == written(page, "attention")
