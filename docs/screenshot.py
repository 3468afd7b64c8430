"""Takes the README's screenshot from the real app: `python docs/screenshot.py`."""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.chromium import launch  # noqa: E402 - needs the path
from bench.page import opened, serving  # noqa: E402


def main() -> None:
    """Write assets/screenshot.png."""
    with serving("app") as (url, _), sync_playwright() as play:
        browser = launch(play)
        page = opened(browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=1.5), url)
        page.locator(".reader .strip.attention .cells button").nth(3).hover()
        section = page.locator("#section-translation").bounding_box()
        assert section is not None
        section["x"], section["width"] = 0, 1200
        page.screenshot(path=ROOT / "assets" / "screenshot.png", full_page=True, clip=section)
        browser.close()


if __name__ == "__main__":
    main()
