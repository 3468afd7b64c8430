"""A translation as HTML that shows itself in a notebook: no script, no style sheet, readable on light and on dark."""

import math
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from seq2seq_demo.alphabet import OUTPUT_SYMBOLS, START
from seq2seq_demo.reference import find_in

_VISIBLE = {START: "⇥", " ": "␣"}
_CELL = "padding:0;text-align:center;min-width:1.15em;font-size:12px"
_HEAT, _OUTLINE = "0,114,178", "outline:2px solid #e69f00;outline-offset:-2px"
_SMALLEST = 0.005  # shown as nothing; 0.05 and more has its number too


def translation_html(
    source: str,
    hypotheses: Sequence[tuple[str, float]],
    probabilities: np.ndarray,
    attention: np.ndarray | None,
    changes: Sequence[str],
) -> str:
    """The source with the attention map and the output; the true alignment outlined where a rule knows it.

    Args:
        source: the text as the model read it.
        hypotheses: best first: (text, log-probability in nats).
        probabilities: float32 `(10, 12)`, one row per step of the best hypothesis.
        attention: float32 `(10, len(source))`; None shows the steps' probabilities alone.
        changes: what was changed in the typed text, a sentence each.

    Returns:
        One `<div>`; every character that came from outside is escaped.
    """
    text = hypotheses[0][0]
    steps = [float(row[OUTPUT_SYMBOLS.index(symbol)]) for symbol, row in zip(text, probabilities, strict=True)]
    shown = _steps(source, text, steps) if attention is None else _map(source, text, steps, attention)
    answers = "; ".join(f"{_mono(_seen(answer))} {math.exp(score):.4f}" for answer, score in hypotheses)
    label = "probability" if len(hypotheses) == 1 else "the beam, best first, each with its probability"
    listed = "".join(f"<li>{escape(change)}</li>" for change in changes)
    notes = f"<ul style='margin:.3em 0'>{listed}</ul>" if changes else ""
    return f"<div style='overflow-x:auto'>{shown}<p style='margin:.3em 0'>{answers} ({label})</p>{notes}</div>"


def _map(source: str, text: str, steps: Sequence[float], attention: np.ndarray) -> str:
    alignment = find_in(source).alignment
    told = "; outlined: where its character of the date stands" if alignment else ""
    caption = f"How much each written character looked at each source character, in hundredths{told}."
    rows = []
    for step, symbol in enumerate(text):
        aligned = alignment[step] if alignment else ()
        cells = "".join(_cell(float(weight), outlined=place in aligned) for place, weight in enumerate(attention[step]))
        rows.append(
            f"<tr>{_head(symbol, 'row')}{cells}<td style='{_CELL};padding-left:.6em'>{steps[step]:.2f}</td></tr>"
        )
    columns = "".join(_head(symbol, "col") for symbol in source)
    last = f"<th scope='col' style='{_CELL};padding-left:.6em;font-weight:normal'>probability</th>"
    return _table(caption, f"<tr><td style='{_CELL}'></td>{columns}{last}</tr>", rows)


def _steps(source: str, text: str, steps: Sequence[float]) -> str:
    heads = "".join(_head(symbol, "col") for symbol in text)
    cells = "".join(f"<td style='{_CELL};padding:0 .3em'>{step:.2f}</td>" for step in steps)
    caption = f"Read: {_mono(source)}<br>Each written character with its probability."
    written = f"<tr><th scope='row' style='{_CELL};padding:0 .6em 0 0'>written</th>{heads}</tr>"
    row = f"<tr><th scope='row' style='{_CELL};padding:0 .6em 0 0;font-weight:normal'>probability</th>{cells}</tr>"
    return _table(caption, written, [row])


def _table(caption: str, head: str, rows: Iterable[str]) -> str:
    return (
        "<table style='border-collapse:collapse;margin:0'>"
        f"<caption style='caption-side:top;text-align:left;color:inherit'>{caption}</caption>"
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _head(symbol: str, scope: str) -> str:
    return f"<th scope='{scope}' style='{_CELL};font-family:monospace'>{escape(_seen(symbol))}</th>"


def _cell(weight: float, *, outlined: bool) -> str:
    styles = [_CELL]
    if weight >= _SMALLEST:
        styles.append(f"background:rgba({_HEAT},{weight:.2f})")
    if weight > 0.5:
        styles.append("color:#fff")
    if outlined:
        styles.append(_OUTLINE)
    number = f"{100 * weight:.0f}" if weight >= 10 * _SMALLEST else ""
    return f"<td style='{';'.join(styles)}'>{number}</td>"


def _mono(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _seen(text: str) -> str:
    """Text in which each character can be seen."""
    return "".join(_VISIBLE.get(symbol, symbol) for symbol in text)
