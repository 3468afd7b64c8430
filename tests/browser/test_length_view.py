"""The length view: the marker follows at once, the live measurement as fast as it can."""

import pytest
from playwright.sync_api import expect

LIVE = ".length-result[data-status=ready]"


def slider(page):
    return page.get_by_role("slider", name="Input length")


def test_the_marker_moves_in_the_same_frame_and_the_result_follows(page):
    before = page.locator(".length-curve .marker").get_attribute("x1")
    moved = page.evaluate(
        """() => {
          const slider = document.querySelector('#length');
          slider.value = 20;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          return document.querySelector('.length-curve .marker').getAttribute('x1');
        }"""
    )
    assert float(moved) < float(before)
    expect(page.locator(f"{LIVE}[data-length='20'] .figure")).to_have_count(2)
    for interval in page.locator(".interval").all_text_contents():
        assert "of 200 exactly right; 95% interval" in interval
    expect(page.locator(".length-curve .live.attention")).to_have_attribute("visibility", "visible")


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
