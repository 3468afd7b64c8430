"""The sections that take the bottleneck apart: the scrubber, the width, and what can be downloaded."""

import csv
import io

import pytest
from conftest import PATIENCE
from playwright.sync_api import expect

VIEWS = ["training-view", "state-size", "three-scores", "chance"]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def scrubber(page):
    """The page with the section on training in view and its frames there."""
    page.locator(".training-view").scroll_into_view_if_needed()
    page.wait_for_selector(".training-view[data-status=ready]", timeout=PATIENCE)
    return page


def slider(page):
    return page.get_by_role("slider", name="Epoch")


def shown(page):
    """What the view shows at its epoch: both answers, their probabilities, and the map."""
    return page.evaluate(
        """() => {
          const view = document.querySelector('.training-view');
          return {
            epoch: view.dataset.epoch,
            answers: [...view.querySelectorAll('.strip .cells')].map(cells => cells.textContent),
            map: [...view.querySelectorAll('.map .weights')].map(row => row.style.getPropertyValue('--weights')).join(),
            marker: Number(view.querySelector('.mark-line.marker').getAttribute('x1')),
          };
        }"""
    )


def count_calls(page):
    calls = []
    page.on("request", lambda request: calls.append(request.url) if "/gradio_api/" in request.url else None)
    return calls


def test_nothing_is_asked_before_the_view_is_seen(page):
    expect(page.locator(".training-view")).to_have_attribute("data-epoch", "14")
    assert page.locator(".training-view").get_attribute("data-status") is None


def test_a_step_changes_all_at_once_and_asks_the_server_nothing(scrubber):
    calls = count_calls(scrubber)
    before = shown(scrubber)
    cell = scrubber.locator(".training-view .strip.attention button").first.element_handle()
    for _ in range(12):
        slider(scrubber).press("ArrowLeft")
    after = shown(scrubber)
    assert (before["epoch"], after["epoch"]) == ("14", "0")
    assert after["marker"] < before["marker"]
    assert after["answers"][0] != before["answers"][0]
    assert after["answers"][1] != before["answers"][1]
    assert after["map"] != before["map"]
    expect(slider(scrubber)).to_have_attribute("aria-valuetext", "epoch 0 of 32")
    assert scrubber.evaluate("cell => cell.isConnected", cell), "the same elements, patched"
    scrubber.wait_for_timeout(300)
    assert calls == []
    slider(scrubber).press("End")
    assert shown(scrubber)["epoch"] == "32"


def test_the_published_epoch_says_so(scrubber):
    expect(slider(scrubber)).to_have_attribute("aria-valuetext", "epoch 14 of 32, published")
    expect(scrubber.locator(".training-view > .where")).to_have_text(
        "Epoch 14 of 32, published: everyday, width 64, seed 0"
    )
    published = "".join(scrubber.locator(".reader .strip.attention .written").all_text_contents())
    assert published == "".join(scrubber.locator(".training-view .strip.attention .written").all_text_contents())


def test_play_runs_to_the_end_and_begins_again(scrubber):
    play = scrubber.get_by_role("button", name="Play")
    for _ in range(2):
        slider(scrubber).press("ArrowRight")
    play.focus()
    scrubber.keyboard.press("Space")
    expect(scrubber.get_by_role("button", name="Pause")).to_be_visible()
    expect(scrubber.locator(".training-view")).to_have_attribute("data-epoch", "32")
    expect(play).to_be_visible()
    play.click()
    expect(scrubber.locator(".training-view[data-epoch='1']")).to_have_count(1)
    scrubber.get_by_role("button", name="Pause").click()
    at = shown(scrubber)["epoch"]
    scrubber.wait_for_timeout(1500)
    assert shown(scrubber)["epoch"] == at


def test_the_other_views_follow_the_epoch(scrubber):
    slider(scrubber).press("Home")
    for view in ("state-size", "three-scores"):
        expect(scrubber.locator(f".{view} .where")).to_contain_text("epoch 0")
    expect(scrubber.locator(".three-scores .sentence-of-view")).to_have_text(
        "Without attention no date is whole yet. With attention no date is whole yet."
    )
    scrubber.get_by_role("radio", name="lesson", exact=True).first.check()
    for view in ("state-size", "three-scores"):
        expect(scrubber.locator(f".{view} .where")).to_contain_text("epoch 16, published")
    expect(slider(scrubber)).to_have_attribute("aria-valuetext", "epoch 16 of 40, published")


def test_the_frames_follow_the_text(scrubber):
    scrubber.get_by_label("A sentence with a date in it").fill("paid 3 may 2011")
    scrubber.locator(".training-view").scroll_into_view_if_needed()
    expect(scrubber.locator(".training-view .wanted")).to_have_text("Expected: 2011-05-03")
    read = "".join(scrubber.locator(".training-view .letter.used").all_text_contents())
    assert read.replace("\u00a0", " ") == "paid 3 may 2011"


@pytest.mark.parametrize("how", ["button", "keyboard", "chart"])
def test_a_width_is_chosen_for_the_whole_page(page, how):
    button = page.get_by_role("button", name="width 32")
    assert page.locator("#width input[value='64']").is_checked()
    if how == "button":
        button.click()
    elif how == "keyboard":
        button.focus()
        page.keyboard.press("Enter")
    else:
        page.locator(".state-size .dots .dot.attention").nth(-2).click()
    expect(page.locator("#width input[value='32']")).to_be_checked()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".three-scores .where")).to_contain_text("width 32")
    expect(page.locator(".training-view > .where")).to_contain_text("width 32")
    expect(page.locator(".training-view > .sentence-of-view")).to_contain_text("width 32")


def test_exact_match_can_be_drawn_against_the_parameters(page):
    tick = page.locator(".state-size .ticks text").last
    expect(tick).to_have_text("64")
    page.get_by_role("radio", name="parameters").check()
    expect(tick).to_have_text("≈ 70.5k")  # 70,156 and 70,924


@pytest.mark.parametrize("view", VIEWS)
def test_a_chart_is_saved_as_a_picture(page, view):
    svg = page.locator(f".{view} .chart svg").first
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    with page.expect_download() as saved:
        page.locator(f".{view}").get_by_role("button", name="Download PNG").click()
    assert saved.value.suggested_filename.endswith(".png")
    content = saved.value.path().read_bytes()
    assert content.startswith(PNG)
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert width == pytest.approx(2 * (box["width"] + 32), abs=2), "twice the size, for sharp print"
    assert height > 2 * box["height"]
    assert len(content) > 10_000, "something is drawn"


@pytest.mark.parametrize("view", VIEWS[:3])
def test_the_numbers_saved_are_the_numbers_shown(page, view):
    with page.expect_download() as saved:
        page.locator(f".{view}").get_by_role("button", name="Download CSV").click()
    rows = list(csv.reader(io.StringIO(saved.value.path().read_text("utf-8"))))
    table = page.locator(f".{view} .figures table")
    shown = [row.locator("th, td").all_text_contents() for row in table.locator("tr").all()[:12]]
    assert len(rows) == table.locator("tr").count() > 4
    assert [[cell or "" for cell in row] for row in rows[:12]] == shown


def test_the_runs_saved_are_those_shown(page):
    with page.expect_download() as saved:
        page.locator(".chance").get_by_role("button", name="Download CSV").click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text("utf-8"))))
    for row, line in zip(rows, page.locator(".chance tbody tr").all(), strict=True):
        cells = [text.replace("−", "-") for text in line.locator("th, td").all_text_contents()]
        assert cells[0] == row["figure"]
        assert float(cells[1]) == pytest.approx(float(row["shipped run"]), abs=6e-4)
        assert [float(part) for part in cells[2].split(" to ")] == pytest.approx(
            [float(row["interval low"]), float(row["interval high"])], abs=6e-4
        )
