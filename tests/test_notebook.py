import re
from html.parser import HTMLParser

import numpy as np
import pytest

import seq2seq_demo as s2s
from seq2seq_demo.notebook import translation_html


class Page(HTMLParser):
    """The text of each cell with its tag and attributes; every tag that is opened."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.cells, self.rows, self.text = [], [], 0, ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.rows += tag == "tr"
        if tag in ("td", "th"):
            self.cells.append([tag, self.rows - 1, dict(attributes), ""])

    def handle_data(self, data):
        self.text += data
        if self.cells and self.tags[-1] in ("td", "th"):
            self.cells[-1][3] += data


def cells(page, row):
    return [cell for cell in page.cells if cell[1] == row]


SOURCE = "id 7 feb 1993"
PROBABILITIES = np.full((10, 12), 0.25, np.float32)


def test_the_map_has_rows_of_output_and_columns_of_source():
    attention = np.zeros((10, len(SOURCE)), np.float32)
    attention[0, 9] = 0.83  # the first digit of the year looks at its own
    attention[1, 2] = 0.04
    page = Page(translation_html(SOURCE, [("1993-02-07", np.log(0.5))], PROBABILITIES, attention, []))
    header = cells(page, 0)
    assert "".join(cell[3] for cell in header[1:-1]) == "id␣7␣feb␣1993"
    assert all(cell[2]["scope"] == "col" for cell in header[1:])
    assert [cells(page, row)[0][3] for row in range(1, 11)] == list("1993-02-07")
    assert all(cells(page, row)[0][2]["scope"] == "row" for row in range(1, 11))
    first, second = cells(page, 1)[1:-1], cells(page, 2)[1:-1]
    assert len(first) == len(SOURCE)
    assert first[9][3] == "83"
    assert "rgba(0,114,178,0.83)" in first[9][2]["style"]
    assert second[2][3] == ""
    assert "rgba(0,114,178,0.04)" in second[2][2]["style"]
    assert "background" not in first[0][2]["style"]
    assert cells(page, 1)[-1][3] == "0.25"
    assert "1993-02-07 0.5000 (probability)" in page.text


def test_the_true_alignment_is_outlined():
    page = Page(
        translation_html(SOURCE, [("1993-02-07", 0.0)], PROBABILITIES, np.zeros((10, len(SOURCE)), np.float32), [])
    )
    outlined = [
        [place for place, cell in enumerate(cells(page, row)[1:-1]) if "outline" in cell[2]["style"]]
        for row in range(1, 11)
    ]
    assert outlined == [[9], [10], [11], [12], [], [5, 6, 7], [5, 6, 7], [], [3], [3]]


@pytest.mark.parametrize("name", ["attention", "encoder-decoder"])
@pytest.mark.parametrize("epoch", [None, 0])
@pytest.mark.parametrize(
    "text",
    ["", "<script>alert('x')</script> 7 feb 1993", "\"><img src=x onerror='y'>&amp;\t7/2/1993", "1" * 200, "\udcff"],
)
def test_nothing_that_was_typed_becomes_markup(name, epoch, text):
    translation = s2s.load_model(name, epoch=epoch).translate(text, beam_width=5)
    html = translation._repr_html_()
    page = Page(html)
    assert set(page.tags) <= {
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "p",
        "code",
        "ul",
        "li",
        "br",
    }
    assert not re.search(r"<[^>]*\son\w+=", html)
    assert "\t" not in html
    assert all(change in page.text for change in translation.changes)
    assert len(html.encode("utf-8", "surrogatepass")) < 150_000
    html.encode("utf-8")


def test_without_attention_each_step_has_its_probability():
    probabilities = np.zeros((10, 12), np.float32)
    probabilities[np.arange(10), [2, 10, 10, 4, 11, 1, 3, 11, 1, 8]] = np.linspace(0.1, 1, 10)
    page = Page(translation_html("7 feb 1993", [("1993-02-07", -1.0)], probabilities, None, ["Cut."]))
    assert "".join(cell[3] for cell in cells(page, 0)[1:]) == "1993-02-07"
    assert [cell[3] for cell in cells(page, 1)[1:]] == [f"{tenth / 10:.2f}" for tenth in range(1, 11)]
    assert "Read: 7 feb 1993" in page.text
    assert page.text.endswith("Cut.")
