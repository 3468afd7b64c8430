"""HTML components whose DOM stays: a JavaScript file of assets/ patches it when a new payload arrives."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import gradio as gr
import plotly.graph_objects as go

from seq2seq_demo.alphabet import START
from seq2seq_demo.figures import figure_rows
from seq2seq_demo.files import ASSETS
from seq2seq_demo.interface.backend import WIDTH

Payload = dict[str, Any]

LOADING = "The models are loading …"
# The width that the page's models have, in prose: the script of interface/page.py keeps it true.
CHOSEN_WIDTH = f'<span class="chosen-width">{WIDTH}</span>'

# What stands on the page for characters that cannot be seen.
_VISIBLE = {START: "⇥", " ": "␣"}


def html_component(
    name: str,
    value: Payload,
    *,
    label: str,
    parts: Sequence[str] = (),
    props: Mapping[str, Any] | None = None,
    elem_id: str | None = None,
) -> gr.HTML:
    """Make the component that `assets/<name>.js` draws.

    A payload travels as one JSON string: Gradio would otherwise make every number of an attention
    map reactive. What a person typed is only ever set as `textContent` there; the template holds none of it.

    Args:
        name: the script, without `.js`.
        value: the payload shown first.
        label: says what it is in Gradio's own lists.
        parts: scripts that it is put together from.
        props: further payloads that never change, by name.
        elem_id: the component's element id, where it is not the script's name.
    """
    # Gradio takes whatever else is named as the component's own props.
    own: dict[str, Any] = {key: to_json(payload) for key, payload in (props or {}).items()}
    return gr.HTML(
        to_json(value),
        label=label,
        html_template="<div></div>",
        js_on_load=script(*parts, name),
        apply_default_css=False,
        elem_id=elem_id or name,
        elem_classes=["component"],
        **own,
    )


def chart_downloads(chart: str) -> gr.HTML:
    """The buttons that save the Plotly chart of an element id; they are given its `downloads_payload`."""
    parts = ("downloads",)
    return html_component("chart-downloads", {}, label="Downloads", parts=parts, elem_id=f"{chart}-downloads")


def downloads_payload(figure: go.Figure | None, chart: str, name: str) -> Payload:
    """What the buttons beside a figure save: its own numbers, in a file of this name; nothing without a figure."""
    if figure is None:
        return {}
    return {"chart": chart, "name": name, "what": figure.layout.title.text, "rows": figure_rows(figure)}


@cache
def script(*names: str) -> str:
    """A component's scripts behind the helpers that all of them use."""
    return "\n".join((ASSETS / f"{name}.js").read_text("utf-8") for name in ("common", *names))


def markup(text: str, *, elem_id: str | None = None, elem_classes: str = "") -> gr.HTML:
    """Fixed HTML of our own: headings and prose. Never holds anything a person typed."""
    return gr.HTML(text, js_on_load=None, apply_default_css=False, elem_id=elem_id, elem_classes=[elem_classes])


def to_json(payload: Any) -> str:
    """Write a payload as JSON in which no tag can begin, whatever a person typed."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def visible(text: str) -> str:
    """Show spaces and the start symbol as glyphs.

    Example: `visible("7 may")` is `"7␣may"`.
    """
    return "".join(_VISIBLE.get(character, character) for character in text)
