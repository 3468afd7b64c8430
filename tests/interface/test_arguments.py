import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seq2seq_demo.interface.arguments import CallError, Choice, Endpoint, Text, Whole

ENDPOINT = Endpoint(
    "draw",
    "Draw.",
    (
        Text("text", "A text.", "x", longest=5),
        Choice("colour", "Its colour.", "red", choices=("red", "blue")),
        Whole("size", "Its size.", 3, 2, low=1, high=9),
        Whole("corner", "Its corner.", 3, None, low=0, high=3),
    ),
    lambda backend, asked: None,
    {},
)
TAKES = "/draw takes text, colour and optionally size, corner"


@pytest.mark.parametrize(
    ("call", "read"),
    [
        (["a", "red"], ["a", "red", 2, None]),
        (["a", "red", 9.0, 0], ["a", "red", 9, 0]),
        (["", "blue", 1, None], ["", "blue", 1, None]),
        ({"colour": "red", "text": "abcde", "corner": 3}, ["abcde", "red", 2, 3]),
    ],
)
def test_a_right_call_is_completed(call, read):
    checked = ENDPOINT.check(call)
    assert list(checked) == ["text", "colour", "size", "corner"]
    assert list(checked.values()) == read
    assert [type(value) for value in checked.values()] == [type(value) for value in read]


@pytest.mark.parametrize(
    ("call", "said", "argument"),
    [
        ([], f"text is missing; {TAKES}", "text"),
        (["a"], f"colour is missing; {TAKES}", "colour"),
        (["a", "red", 1, 1, 1], f"5 arguments were given; {TAKES}", ""),
        ({"colour": "red"}, f"text is missing; {TAKES}", "text"),
        ({"text": "a", "color": "red"}, f"/draw has no argument 'color'; {TAKES}", ""),
        ([7, "red"], "text is 7; a string is expected", "text"),
        (["abcdef", "red"], "text has 6 characters; at most 5 are taken, and 96 are read", "text"),
        (["a", "green"], "colour is 'green'; choose one of: red, blue", "colour"),
        (["a", ["red"]], "colour is ['red']; choose one of: red, blue", "colour"),
        (["a", "red", 10], "size is 10; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", 2.5], "size is 2.5; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", True], "size is True; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", "3"], "size is '3'; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", None], "size is None; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", math.nan], "size is nan; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", math.inf], "size is inf; a whole number from 1 to 9 is expected", "size"),
        (["a", "red", 1, 4], "corner is 4; a whole number from 0 to 3 is expected", "corner"),
    ],
)
def test_a_wrong_call_is_refused_in_a_sentence(call, said, argument):
    with pytest.raises(CallError) as caught:
        ENDPOINT.check(call)
    assert (str(caught.value), caught.value.argument, caught.value.status) == (said, argument, 422)


def test_what_is_quoted_stays_short():
    with pytest.raises(CallError) as caught:
        ENDPOINT.check(["a", "x" * 100_000])
    assert len(str(caught.value)) < 100


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.lists(JSON, max_size=6)
    | st.dictionaries(st.sampled_from(["text", "colour", "size", "corner"]) | st.text(), JSON)
)
def test_whatever_is_given_is_read_or_refused(call):
    try:
        checked = ENDPOINT.check(call)
    except CallError as error:
        assert 10 < len(str(error)) < 250
        assert "\n" not in str(error)
    else:
        assert isinstance(checked["text"], str)
        assert len(checked["text"]) <= 5
        assert checked["colour"] in ("red", "blue")
        assert checked["size"] in range(1, 10)
        assert checked["corner"] in (None, 0, 1, 2, 3)


def test_schemas_say_what_is_taken():
    text, colour, size, corner = (argument.schema() for argument in ENDPOINT.arguments)
    assert (text["type"], text["maxLength"]) == ("string", 5)
    assert colour["enum"] == ["red", "blue"]
    assert (size["type"], size["minimum"], size["maximum"]) == ("integer", 1, 9)
    assert corner["anyOf"] == [{"type": "integer", "minimum": 0, "maximum": 3}, {"type": "null"}]
    assert all(schema["description"] and schema["examples"] for schema in (text, colour, size, corner))
