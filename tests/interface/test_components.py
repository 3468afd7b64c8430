import json
import shutil
import subprocess

import pytest

from seq2seq_demo.interface.components import ASSETS, html_component, script, to_json, visible


def test_no_tag_can_begin_in_a_payload():
    written = to_json({"text": "</script><b>{{1+1}}${1}"})
    assert "<" not in written
    assert json.loads(written) == {"text": "</script><b>{{1+1}}${1}"}


def test_a_component_keeps_what_is_typed_out_of_its_template():
    component = html_component("reader", {"text": "<b>"}, label="reader", parts=("strip", "map"))
    assert component.html_template == "<div></div>"
    assert component.css_template == ""


def test_invisible_characters_are_shown():
    assert visible("\t 7") == "⇥␣7"


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.js")), ids=lambda path: path.name)
def test_scripts_write_text_as_text_only(path):
    content = path.read_text("utf-8")
    for trap in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert trap not in content
    assert content.startswith("//"), "each begins with what goes in and what comes out"


@pytest.mark.skipif(not shutil.which("node"), reason="node checks the syntax; it is not installed")
def test_scripts_parse(tmp_path):
    charted = ("chart", "choice", "downloads", "bottleneck")
    for names in (
        ("sentence", "strip", "map", "downloads", "reader"),
        ("chart", "choice", "downloads", "length-curve"),
        ("length-result",),
        ("downloads", "chart-downloads"),
        ("choices",),
        ("downloads", "ranked-table"),
        (*charted, "three-scores"),
        (*charted, "state-size"),
        (*charted, "chance"),
        ("sentence", "strip", "map", *charted, "training-view"),
    ):
        path = tmp_path / "component.js"
        path.write_text(f"(element, trigger, props, watch) => {{\n{script(*names)}\n}}", "utf-8")
        subprocess.run(["node", "--check", path], check=True)
