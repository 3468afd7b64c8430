"""Puts the sections together to one page."""

import json
from typing import Any

import gradio as gr
from fastapi.exceptions import RequestValidationError
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from seq2seq_demo.corpus import TRAINING_SETS
from seq2seq_demo.interface import api, chance, charts, length, scores, state_size, table, training_view, translation
from seq2seq_demo.interface.backend import DEFAULT_TRAINING, WIDTH, Backend, widths
from seq2seq_demo.interface.calls import Calls, refuse_unreadable
from seq2seq_demo.interface.components import ASSETS, markup, script

TITLE = "Sequence to sequence, to touch"

# In this order: later rules outweigh earlier ones.
STYLES = ("page", "reader", "length", "ranked-table", "charts", "bottleneck", "narrow")

# Safe for a public demo: no tracebacks, no monitoring page, no runs saved in the browser, no large uploads (the
# upload route exists without any file input), no files served but Gradio's own, no Node proxy on a Space.
LAUNCH: dict[str, Any] = {
    "css_paths": [ASSETS / f"{name}.css" for name in STYLES],
    "head": '<meta name="color-scheme" content="light dark">',
    "footer_links": ["api"],
    "show_error": False,
    "enable_monitoring": False,
    "run_history": False,
    "max_file_size": "100kb",
    "allowed_paths": [],
    "strict_cors": True,
    "state_session_capacity": 100,
    "ssr_mode": False,
    "share": False,
    # Gradio compresses its own scripts, but not the page with ours and the measured table in it.
    "app_kwargs": {
        "middleware": [Middleware(GZipMiddleware, minimum_size=20_000), Middleware(Calls)],
        "exception_handlers": {RequestValidationError: refuse_unreadable},
    },
}


def theme() -> gr.themes.Base:
    """Gradio's plain theme; all that is particular about the look is in assets/page.css."""
    sans = ["-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif"]
    mono = ["ui-monospace", "SF Mono", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace"]
    return gr.themes.Base(font=sans, font_mono=mono)


def build(backend: Backend) -> gr.Blocks:
    """Build the page on a backend, which need not be ready."""
    with gr.Blocks(title=TITLE, analytics_enabled=False) as page:
        markup(_HEADER, elem_id="header")
        training, width = _build_choices()
        text: list[gr.Textbox] = []
        for name, build_section in (
            ("translation", lambda: text.append(translation.build(backend, training, width))),
            ("length", lambda: length.build(backend, training, width)),
            ("training", lambda: training_view.build(backend, training, width, text[0])),
            ("state-size", lambda: state_size.build(width)),
            ("scores", scores.build),
            ("chance", chance.build),
            ("table", table.build),
            ("charts-section", lambda: charts.build(training, width)),
        ):
            with gr.Column(elem_id=f"section-{name}", elem_classes=["section"]):
                build_section()
        api.build(backend)
    return page


def _build_choices() -> tuple[gr.Radio, gr.Radio]:
    """What is chosen for the whole page: the training set and the width of the models."""
    kept = {name: widths(name) for name in TRAINING_SETS}
    with gr.Row(elem_id="choices"):
        training = gr.Radio(
            sorted(TRAINING_SETS, key=lambda name: name != DEFAULT_TRAINING),
            value=DEFAULT_TRAINING,
            label="Training set",
            info="everyday: six date formats, for what people type. lesson: the two formats of the lesson.",
            elem_id="training",
        )
        width = gr.Radio(
            sorted({units for all_units in kept.values() for units in all_units}),
            value=WIDTH,
            label="Width",
            info="How many numbers each of the two state vectors holds: the bottleneck.",
            elem_id="width",
        )
    markup('<p id="width-note" role="status"></p>', elem_classes="component")
    # The views that need no server follow the choices through these events. See assets/choices.js.
    choose = f"""(...chosen) => {{
const kept = {json.dumps(kept)}, fallback = {WIDTH};
{script("choices")}
}}"""
    gr.on(
        [training.change, width.change],
        None,
        [training, width],
        width,
        js=choose,
        trigger_mode="always_last",
        api_visibility="private",
    )
    return training, width


_HEADER = f"""
<header>
<h1>{TITLE}</h1>
<p>Two small networks read a sentence with a date buried in it and write the date as
<code class="date">YYYY-MM-DD</code>: one through a bottleneck of two vectors, one that may look back. The
sentences are generated, so where a model <em>should</em> look is known, and everything here can be checked.</p>
</header>
"""
