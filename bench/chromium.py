"""The Chromium that the benchmarks, the browser tests and the README's screenshot use."""

import os
import shutil

from playwright.sync_api import Browser, Playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium itself asks hosts of its own for updates; who watches the network must not see those.
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(play: Playwright, *more: str) -> Browser:
    """Start the browser that CHROMIUM names, else the system's, else Playwright's own, with `more` arguments."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    return play.chromium.launch(executable_path=path, args=[*_ARGUMENTS, *more])
