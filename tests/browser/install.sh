#!/bin/sh
# Makes sure that the browser tests find a Chromium: the system's, else Playwright's, else Debian's.
set -eu
for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
	if [ -n "$browser" ] && command -v "$browser" >/dev/null; then exit 0; fi
done
if python -c 'import os, playwright.sync_api as p
with p.sync_playwright() as play: raise SystemExit(not os.path.exists(play.chromium.executable_path))'; then exit 0; fi
echo "No Chromium found; installing one for the browser tests."
if python -m playwright install chromium; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium && exit 0
fi
echo "Install Chromium or Chrome, or set CHROMIUM to its path, then run this again." >&2
exit 1
