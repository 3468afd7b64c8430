import pytest
from hypothesis import given
from hypothesis import strategies as st

from seq2seq_demo import corpus
from seq2seq_demo.alphabet import read
from seq2seq_demo.grammar import GRAMMARS
from seq2seq_demo.reference import find_reference


def test_it_agrees_with_the_corpus_on_ten_thousand_rows():
    rows = [row for name in GRAMMARS for row in corpus.random_rows(name, 2500, seed=7)]
    for name in GRAMMARS:
        rows += [row for length in range(10, 97) for row in corpus.rows_of_length(name, length, 10, seed=7)]
    assert len(rows) > 10_000
    for row in rows:
        found = find_reference(row.source)
        assert found.text == row.target
        assert found.alignment == row.alignment
        assert (found.year, found.month, found.day) == (row.year, row.month, row.day)
        assert found.reason is None


@pytest.mark.parametrize(
    ("text", "date", "parts"),
    [
        ("07/02/1993", "1993-02-07", ("1993", "02", "07")),
        ("1993/02/07", "1993-02-07", ("1993", "02", "07")),
        ("7/2/1993", "1993-02-07", ("1993", "2", "7")),
        ("1993/2/7", "1993-02-07", ("1993", "2", "7")),
        ("7 feb 1993", "1993-02-07", ("1993", "feb", "7")),
        ("7 february 1993", "1993-02-07", ("1993", "february", "7")),
        ("feb 7 1993", "1993-02-07", ("1993", "feb", "7")),
        ("february 7 1993", "1993-02-07", ("1993", "february", "7")),
        ("29/02/2000", "2000-02-29", ("2000", "02", "29")),
        ("12 may 17 2019", "2019-05-17", ("2019", "may", "17")),
        ("7 feb 7 1993", "1993-02-07", ("1993", "feb", "7")),
        ("on07/02/1993", "1993-02-07", ("1993", "02", "07")),
        ("at 1993-02-07T12:00", "1993-02-07", ("1993", "02", "07")),
        ("version 1.2.13 of 07/02/1993", "1993-02-07", ("1993", "02", "07")),
        ("(7 Feb, 1993)", "1993-02-07", ("1993", "feb", "7")),
        ("31/12/1805", "1805-12-31", ("1805", "12", "31")),
        # Cut after 96 characters, it is the date that the models see.
        ("x" * 86 + " 1993/02/17", "1993-02-01", ("1993", "02", "1")),
        ("may 2 2001 1999", "2001-05-02", ("2001", "may", "2")),
    ],
)
def test_dates_found(text, date, parts):
    found = find_reference(text)
    source = read(text).source
    assert found.text == date
    assert tuple(source[slice(*span)] for span in (found.year, found.month, found.day)) == parts
    assert found.beyond_training == (date[:4] == "1805")


@pytest.mark.parametrize(("year", "beyond"), [("1949", True), ("1950", False), ("2049", False), ("2050", True)])
def test_years_that_no_training_set_has(year, beyond):
    assert find_reference(f"7 feb {year}").beyond_training == beyond


def test_without_a_date_nothing_is_beyond_training():
    assert not find_reference("order 21").beyond_training


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no text yet"),
        ("   ", "no text yet"),
        ("order 21 item 45", "no date in a known format"),
        ("7 sept 1993", "no date in a known format"),
        ("mayday 7 1993", "no date in a known format"),
        ("45/07/02/1993", "no date in a known format"),
        ("07/02/19934", "no date in a known format"),
        ("x7 feb 1993", "no date in a known format"),
        ("1/7 feb 1993", "no date in a known format"),
        ("7 feb 1993ad", "no date in a known format"),
        ("feb 7 1993/4", "no date in a known format"),
        ("7feb1993", "no date in a known format"),
        ("07/02/1993 and 1993-02-07", "more than one date: `07/02/1993` and `1993/02/07`"),
        ("9/9/1993 or 1/1/1993", "`9/9/1993` and `1/1/1993`"),
        ("07/02/1993 07/02/1993", "more than one date"),
        ("31/02/1993 or 1/3/1993", "more than one date"),
        ("1/1/2001 2/2/2002 3/3/2003 4/4/2004", "`1/1/2001` and `2/2/2002` and `3/3/2003` and 1 more"),
        ("12/31/2019", "month first, and here the day comes first: there is no month 31. Try `31/12/2019`"),
        ("2/13/1993", "Try `13/02/1993`"),
        ("02/30/2012", "not a calendar date, day first or month first"),
        ("31/02/1993", "February 1993 has no day 31"),
        ("29/02/1900", "February 1900 has no day 29"),
        ("31 april 2001", "April 2001 has no day 31"),
        ("1993/13/01", "there is no month 13"),
        ("00/01/2000", "January 2000 has no day 0"),
        ("01/00/2000", "there is no month 0"),
        ("01/01/0000", "there is no year 0"),
        ("11.12.13", "two-digit year"),
        ("7 feb 93", "two-digit year"),
        ("feb 7 93", "two-digit year"),
        ("20110101", "needs separators"),
        ("201101011", "no date in a known format"),
        ("x" * 95 + " 07/02/1993", "no date in a known format"),
    ],
)
def test_reasons_for_none(text, reason):
    found = find_reference(text)
    assert (found.text, found.alignment, found.year) == (None, None, None)
    assert reason in found.reason


@given(st.text(max_size=120) | st.from_regex(r"[0-9/ a-f]{0,40}", fullmatch=True))
def test_any_text_has_a_date_or_a_reason(text):
    found = find_reference(text)
    assert (found.text is None) != (found.reason is None)
    if found.alignment:
        source = read(text).source
        for symbol, positions in zip(found.text, found.alignment, strict=True):
            assert (symbol == "-") == (not positions)
            assert len(positions) > 2 or all(
                source[position] in (symbol if symbol != "0" else source) for position in positions
            )


@pytest.mark.parametrize("wrong", [None, 7, ["07/02/1993"]])
def test_only_text_is_searched(wrong):
    with pytest.raises(TypeError):
        find_reference(wrong)
