import os
import subprocess
import sys
from pathlib import Path

import app
from seq2seq_demo.interface.components import ASSETS
from seq2seq_demo.interface.page import LAUNCH

PUBLIC = {"translate", "measure_length", "metrics"}


def test_only_the_documented_endpoints_are_public():
    dependencies = app.demo.config["dependencies"]
    assert {entry["api_name"] for entry in dependencies if entry["api_visibility"] == "public"} == PUBLIC


def test_no_call_goes_through_the_queue():
    for entry in app.demo.config["dependencies"]:
        assert entry["queue"] is False or not entry["backend_fn"], entry["api_name"]


def test_live_events_send_the_newest_inputs_last():
    live = [entry for entry in app.demo.config["dependencies"] if len(entry["targets"]) > 1]
    assert len(live) == 3, "the choices for the page, the translation, the length"
    assert {entry["trigger_mode"] for entry in live} == {"always_last"}


def test_the_launch_is_safe_for_a_public_demo():
    assert LAUNCH["show_error"] is False
    assert LAUNCH["enable_monitoring"] is False
    assert LAUNCH["ssr_mode"] is False
    assert LAUNCH["allowed_paths"] == []


def test_nothing_of_ours_names_another_host():
    for path in (path for path in ASSETS.iterdir() if path.suffix in (".js", ".css", ".json")):
        content = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in content and "https:" not in content, path


def test_on_a_space_the_page_is_the_same():
    # With its id in the configuration, Gradio's page asks huggingface.co and Google's fonts.
    script = "import app; from gradio.utils import get_space; print(app.demo.config['space_id'], get_space())"
    environment = {**os.environ, "SYSTEM": "spaces", "SPACE_ID": "someone/dates"}
    root = Path(app.__file__).parent
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "None None\n"
