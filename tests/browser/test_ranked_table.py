"""The ranked table: sorted by mouse and keyboard, filtered, downloaded."""

import csv

from playwright.sync_api import expect

HEADS = ".ranked thead th"


def numbers(page, column):
    texts = page.locator(f".ranked td.{column} .number").all_text_contents()
    return [float(text.replace(",", "")) for text in texts if text != "–"]


def head(page, name):
    return page.locator(HEADS).filter(has_text=name)


def test_every_column_ranks_as_numbers(page):
    for name, column in (("Parameters", "parameters"), ("Character", "character"), ("Seconds", "seconds")):
        head(page, name).get_by_role("button").click()
        expect(head(page, name)).to_have_attribute("aria-sort", "descending")
        assert numbers(page, column) == sorted(numbers(page, column), reverse=True)
        head(page, name).get_by_role("button").click()
        expect(head(page, name)).to_have_attribute("aria-sort", "ascending")
        assert numbers(page, column) == sorted(numbers(page, column))
        expect(page.locator(f"{HEADS}[aria-sort=ascending], {HEADS}[aria-sort=descending]")).to_have_count(1)


def test_sorting_by_keyboard(page):
    head(page, "Teacher-forced").get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(head(page, "Teacher-forced")).to_have_attribute("aria-sort", "descending")
    page.keyboard.press("Space")
    expect(head(page, "Teacher-forced")).to_have_attribute("aria-sort", "ascending")
    expect(page.locator(".ranked-summary")).to_contain_text("by teacher-forced, lowest first")


def test_highest_and_lowest_are_computed_from_what_is_shown(page):
    page.get_by_role("combobox", name="Width").select_option("16")
    page.get_by_role("combobox", name="Model").select_option("attention")
    shown = numbers(page, "exact")
    marked = page.locator(".ranked td.exact").filter(has_text="highest").locator(".number").all_text_contents()
    assert {float(text) for text in marked} == {max(shown)}


def test_filters_and_the_lesson_page(page):
    page.get_by_role("combobox", name="Model").select_option("encoder-decoder")
    rows = page.locator(".ranked tbody tr")
    assert {text for text in page.locator(".model-name").all_text_contents()} == {"encoder-decoder"}
    expect(rows.filter(has_text="lesson page")).to_have_count(1)
    expect(rows.filter(has_text="lesson page").locator("td.exact .number")).to_have_text("0.6250")
    page.get_by_role("combobox", name="Width").select_option("32")
    expect(rows.filter(has_text="lesson page")).to_have_count(0)


def test_what_is_shown_can_be_downloaded(page):
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    with open(download.value.path(), encoding="utf-8") as file:  # noqa: PTH123
        rows = list(csv.DictReader(file))
    assert len(rows) == page.locator(".ranked tbody tr").count()
    assert {row["source"] for row in rows} == {"measured", "lesson page"}
    exact = [float(row["exact"]) for row in rows]
    assert exact == sorted(exact, reverse=True)
