"""Takes the README's screenshot from the real app: `python docs/screenshot.py`."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.page import ARGUMENTS, opened, serving  # noqa: E402 - needs the path


def main() -> None:
    """Write assets/screenshot.png."""
    with serving("app") as (url, _), sync_playwright() as play:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = opened(browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=1.5), url)
        page.locator(".strip.attention .cells button").nth(3).hover()
        section = page.locator("#section-translation").bounding_box()
        assert section is not None
        section["x"], section["width"] = 0, 1200
        page.screenshot(path=ROOT / "assets" / "screenshot.png", full_page=True, clip=section)
        browser.close()


if __name__ == "__main__":
    main()
