import unicodedata
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seq2seq_demo import INPUT_SYMBOLS, OUTPUT_SYMBOLS, alphabet
from seq2seq_demo.alphabet import (
    UNKNOWN,
    decode_outputs,
    encode_prefix,
    encode_sources,
    encode_targets,
    read,
    shift_right,
)

# Any character at all, lone surrogates too, with those that have rules of their own made likely.
ANY_TEXT = st.text(st.one_of(st.characters(), st.sampled_from("09azAZ/-.,– \t\n\u200b²٢ﬁÉstndrdth")), max_size=150)


def test_the_symbols_and_their_ids():
    assert len(INPUT_SYMBOLS) == 40
    assert "".join(INPUT_SYMBOLS) == "\0" + UNKNOWN + " /" + "0123456789" + ascii_lowercase
    assert "".join(OUTPUT_SYMBOLS) == "\t0123456789-"


@pytest.mark.parametrize(
    ("typed", "source", "told"),
    [
        ("order 21 item 45 07/02/1993 id seq", "order 21 item 45 07/02/1993 id seq", []),
        ("", "", []),
        ("MAY", "may", ["Upper case"]),
        ("7 feb 2020", "7 feb 2020", []),
        ("1-2.3–4−5", "1/2/3/4/5", ["between digits: `-`, `.`, `–`, `−`."]),
        ("7-feb-2020", "7 feb 2020", ["between a digit and a letter"]),
        ("item.7", "item 7", ["between a digit and a letter"]),
        ("1--2", f"1{UNKNOWN}{UNKNOWN}2", ["unknown"]),
        ("a-b", f"a{UNKNOWN}b", ["`-`"]),
        ("end.", f"end{UNKNOWN}", ["`.`"]),
        ("1st 2nd 3rd 10th", "1 2 3 10", ["ordinal numbers were dropped: `st`, `nd`, `rd`, `th`."]),
        ("10TH", "10", ["Upper case", "ordinal"]),
        ("1stone 2 nd", "1stone 2 nd", []),
        ("10th-feb", "10 feb", ["ordinal", "between a digit and a letter"]),
        ("a,b", "a b", ["Commas"]),
        ("May 17,2019", "may 17 2019", ["Upper case", "Commas"]),
        ("a،b、c，d", "a b c d", ["Commas"]),
        ("a   b", "a b", ["Repeated spaces"]),
        ("a , b", "a b", ["Commas", "Repeated spaces"]),
        ("  a ", "a", ["at the ends"]),
        ("a\tb\nc", "a b c", ["Tabs, line breaks"]),
        ("a\u00a0b", "a b", ["other white space"]),
        ("٢٠١٤/٠٥", "2014/05", ["another script"]),
        ("０７／０２", "07/02", ["Written another way"]),
        ("0²", "02", ["`²` as `2`"]),
        ("ﬁle", "file", ["`ﬁ` as `fi`"]),
        ("07\u200b/02\ufeff", "07/02", ["U+200B ZERO WIDTH SPACE"]),
        ("7\ufe0f", "7", ["Invisible"]),
        ("7\u034f", "7", ["Invisible"]),
        ("caf\u00e9", f"caf{UNKNOWN}", ["`é`"]),
        ("cafe\u0301", f"caf{UNKNOWN}", ["`é`"]),
        ("\ud800", UNKNOWN, ["unknown"]),
        ("\0", "", ["Invisible"]),
        ("!?#$%&()", UNKNOWN * 8, ["`!`, `?`, `#`, `$`, `%`, `&` and 2 more."]),
        ("{{value}} ${x}", f"{UNKNOWN * 2}value{UNKNOWN * 2} {UNKNOWN * 2}x{UNKNOWN}", ["unknown"]),
    ],
)
def test_what_is_read_and_what_is_told(typed, source, told):
    reading = read(typed)
    assert reading.source == source
    for words in told:
        assert any(words.lower() in change.lower() for change in reading.changes), reading.changes
    if not told:
        assert reading.changes == ()


def test_the_unknown_symbol_itself_is_no_change():
    assert read(UNKNOWN + "A").changes == ("Upper case was read as lower case.",)


def test_a_reading_can_be_traced_to_what_was_typed():
    typed = "On  the 1ST,\u200b ﬁle 07-02"
    reading = read(typed)
    assert reading.source == "on the 1 file 07/02"
    origins = "".join(typed[position] for position in reading.positions)
    assert origins == "On the 1,ﬁﬁle 07-02"


@given(ANY_TEXT)
@example("1stß")
@example("1\u200bst")
@example("a\u0301\u0327")
@example(" ﷺ")
def test_any_text_comes_into_the_alphabet(typed):
    reading = read(typed)
    assert set(reading.source) <= set(INPUT_SYMBOLS[1:])
    assert len(reading.source) <= 96
    assert "  " not in reading.source
    assert len(reading.positions) == len(reading.source)
    assert list(reading.positions) == sorted(reading.positions)
    for symbol, position in zip(reading.source, reading.positions, strict=True):
        if symbol.isalnum():
            form = unicodedata.normalize("NFKC", typed[position]).lower()
            digits = "".join(str(unicodedata.decimal(c, c)) for c in form)
            assert symbol in digits
    for change in reading.changes:
        assert change
        assert change.strip() == change


@given(st.one_of(ANY_TEXT, ANY_TEXT.map(lambda text: "x" * 93 + text)))
@example("x" * 95 + " y")
@example("x" * 92 + " 1start")
@example("x" * 94 + "1st")
@example("x" * 91 + " 1st art")
@example("x" * 94 + "1,st")
def test_what_was_read_once_is_read_the_same_again(typed):
    source = read(typed).source
    assert read(source).source == source


@given(st.from_regex(r"[a-z0-9]{1,7}( [a-z0-9/]{1,7}){0,8}", fullmatch=True))
def test_a_clean_text_is_not_changed(typed):
    if not any(f"{d}{e}" in typed for d in "0123456789" for e in ("st", "nd", "rd", "th")):
        reading = read(typed)
        assert (reading.source, reading.changes, list(reading.positions)) == (typed, (), list(range(len(typed))))


@pytest.mark.parametrize(("length", "cut"), [(48, False), (96, False), (97, True)])
def test_a_text_is_cut_after_96_characters_and_it_is_told(length, cut):
    typed = "x" * length
    reading = read(typed)
    assert reading.source == typed[:96]
    assert reading.beyond_training == (length > 48)
    assert any("first 96" in change and "the 1 after" in change for change in reading.changes) == cut


@pytest.mark.parametrize(
    ("typed", "source", "told"),
    [
        ("x" * 95 + " yz", "x" * 95, "first 95 characters are read; the 3 after them were cut, from ` yz` on"),
        (
            "x" * 92 + " 1start",
            "x" * 92 + " 1",
            "first 94 characters are read; the 5 after them were cut, from `start`",
        ),
        ("x" * 95 + "   ", "x" * 95, None),
    ],
)
def test_a_cut_leaves_neither_a_space_nor_an_ending_behind(typed, source, told):
    reading = read(typed)
    assert reading.source == source
    assert list(reading.positions) == list(range(len(source)))
    if told:
        assert told in reading.changes[-1]
    else:
        assert reading.changes[-1].startswith("Spaces at the ends")


def test_only_changes_in_what_is_read_are_told():
    reading = read("a" * 96 + "B" + "#")
    assert len(reading.changes) == 1
    assert "the 2 after them were cut, from `B#` on" in reading.changes[0]


def test_of_a_pasted_book_only_the_beginning_is_worked_through(monkeypatch):
    taken = []
    passage = alphabet._Passage
    monkeypatch.setattr(alphabet, "_Passage", lambda text: taken.append(len(text)) or passage(text))
    assert len(read("Él – " * 2_000_000).source) == 96
    assert sum(taken) < 1000


def test_spaces_before_the_text_do_not_hide_it():
    assert read(" " * 50_000 + "7 feb 1993").source == "7 feb 1993"


@pytest.mark.parametrize("wrong", [None, 7, b"7 feb 1993", ["7"]])
def test_only_text_is_read(wrong):
    with pytest.raises(TypeError, match="str is expected"):
        read(wrong)


def test_sources_as_ids():
    ids = encode_sources(["/a9", "", "zz"], 4)
    assert ids.dtype == np.int32
    assert ids.tolist() == [[3, 14, 13, 0], [0, 0, 0, 0], [39, 39, 0, 0]]
    assert encode_sources([UNKNOWN + " "], 2).tolist() == [[1, 2]]
    assert encode_sources(["\ud800\U0001f600é"], 4).tolist() == [[1, 1, 1, 0]]
    assert encode_sources(["abcdef"], 2).tolist() == [[14, 15]]
    assert encode_sources([], 48).shape == (0, 48)


def test_targets_as_ids_and_back():
    ids = encode_targets(["1993-02-07"])
    assert ids.tolist() == [[2, 10, 10, 4, 11, 1, 3, 11, 1, 8]]
    assert decode_outputs(ids) == ["1993-02-07"]
    assert encode_prefix("20").tolist() == [3, 1]
    assert encode_targets([]).shape == (0, 10)


def test_the_decoder_reads_the_start_symbol_then_what_it_wrote():
    assert shift_right(encode_targets(["1993-02-07"])).tolist() == [[0, 2, 10, 10, 4, 11, 1, 3, 11, 1]]


@pytest.mark.parametrize("wrong", ["1993-02-7", "1993-02-071", "1993/02/07", ""])
def test_a_target_that_no_model_can_write_is_refused(wrong):
    with pytest.raises(ValueError, match="1993-02-07"):
        encode_targets([wrong])
