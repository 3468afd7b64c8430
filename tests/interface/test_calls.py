"""The endpoints over HTTP, by each of Gradio's routes and by its Python client."""

import json
import re
import urllib.request

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError, ValidationError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seq2seq_demo.interface import api, calls

TEXT = "order 21 item 45 07/02/1993 id seq"
RIGHT = [TEXT, "attention", "everyday", "greedy", 1]
NAMES = ["text", "model", "training", "decoding", "beam_width", "width", "epoch"]
TAKES = "/translate takes text, model, training, decoding, beam_width and optionally width, epoch"
BY_POSITION = ["run/translate", "run/translate/", "api/translate", "call/translate"]
# Each is wrong, and the sentence has this in it.
WRONG = [
    ([], f"text is missing; {TAKES}"),
    (RIGHT[:2], f"training is missing; {TAKES}"),
    ([*RIGHT, 64, None, 1], f"8 arguments were given; {TAKES}"),
    ([7, *RIGHT[1:]], "text is 7; a string is expected"),
    ([TEXT, "gru", *RIGHT[2:]], "model is 'gru'; choose one of: encoder-decoder, attention"),
    ([TEXT, {"a": 1}, *RIGHT[2:]], "model is {'a': 1}; choose one of"),
    ([*RIGHT[:4], 99], "beam_width is 99; a whole number from 1 to 12 is expected"),
    ([*RIGHT[:4], "1"], "beam_width is '1'; a whole number"),
    ([*RIGHT, 17], "width 17 does not exist; choose one of: 8, 16, 32, 64"),
    ([*RIGHT, 64, 5], "epoch 5 does not exist; choose one of: 0, 1, 2"),
]


@pytest.fixture(scope="module")
def client(served):
    return Client(served, verbose=False)


@pytest.mark.parametrize("route", ["run/translate", "api/translate"])
def test_a_right_call_is_answered(post, route):
    status, answer = post(route, {"data": RIGHT})
    assert status == 200
    assert answer["data"][0]["text"] == "1993-02-07"


def test_optional_arguments_may_be_left_out_or_given(post):
    answers = [post("run/translate", {"data": [*RIGHT, *more]})[1]["data"] for more in ([], [64], [64, None], [16, 0])]
    assert answers[0] == answers[1] == answers[2] != answers[3]


@pytest.mark.parametrize("arguments", [{"data": RIGHT}, {"data": [*RIGHT, 64, 2]}])
def test_call_and_its_event_stream(served, post, arguments):
    status, answer = post("call/translate", arguments)
    assert status == 200
    stream = urllib.request.urlopen(f"{served}/gradio_api/call/translate/{answer['event_id']}", timeout=60)
    event = re.search(r"event: complete\ndata: (.*)", stream.read().decode())
    assert json.loads(event[1])[0]["source"] == TEXT


def test_call_by_name(served, post):
    status, answer = post("call/v2/translate", dict(zip(NAMES, RIGHT, strict=False)))
    assert status == 200
    stream = urllib.request.urlopen(f"{served}/gradio_api/call/translate/{answer['event_id']}", timeout=60)
    assert '"1993-02-07"' in stream.read().decode()


@pytest.mark.parametrize("route", BY_POSITION)
@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_a_wrong_call_is_refused(post, route, arguments, said):
    status, answer = post(route, {"data": arguments})
    assert status == 422
    assert answer.keys() == {"error"}
    assert answer["error"].startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "text is missing"),
        ({"text": TEXT, "modle": "attention"}, "/translate has no argument 'modle'"),
        (dict(zip(NAMES, [*RIGHT, 17], strict=False)), "width 17 does not exist"),
    ],
)
def test_a_wrong_call_by_name_is_refused(post, arguments, said):
    status, answer = post("call/v2/translate", arguments)
    assert status == 422
    assert answer["error"].startswith(said)


@pytest.mark.parametrize("route", [*BY_POSITION, "call/v2/translate", "queue/join"])
@pytest.mark.parametrize(
    ("body", "content_type", "status", "said"),
    [
        (b'{"data": [', "application/json", 400, "The body is not JSON; send "),
        (b"", "application/json", 400, "The body is not JSON; send "),
        (b"\xff\xfe\x00", "application/json", 400, "The body is not JSON; send "),
        (b"[" * 100_000, "application/json", 400, "The body is not JSON; send "),
        (b'{"data": [' + b"1" * 5_000 + b"]}", "application/json", 400, "The body is not JSON; send "),
        ([1, 2], "application/json", 400, "The body is no JSON object; send "),
        ("text", "application/json", 400, "The body is no JSON object; send "),
        ({"data": RIGHT}, "text/plain", 415, "Send JSON, with the header Content-Type: application/json"),
        (b" " * (calls.MAX_BODY + 1), "application/json", 413, "The body is longer than 4000000 bytes; send less"),
    ],
)
def test_an_unreadable_body_is_refused(post, route, body, content_type, status, said):
    got, answer = post(route, body, content_type)
    assert got == status
    assert answer["error"].startswith(said)


@pytest.mark.parametrize("body", [{}, {"data": None}, {"data": "x"}, {"data": {"text": TEXT}}, {"args": RIGHT}])
@pytest.mark.parametrize("route", BY_POSITION)
def test_a_body_without_data_is_refused(post, route, body):
    status, answer = post(route, body)
    assert status == 400
    assert answer["error"].startswith("The body has no list named data; send ")


@pytest.mark.parametrize("route", ["run/nope", "api/nope", "call/nope", "call/v2/nope", "run/Translate", "run/ü%20"])
def test_an_unknown_endpoint_is_named_with_those_there_are(post, route):
    status, answer = post(route.replace("ü", "%C3%BC"), {"data": RIGHT})
    assert status == 404
    assert answer["error"].endswith("there are /translate, /measure_length, /metrics")


@pytest.mark.parametrize("route", ["queue/join", "run/translate"])
@pytest.mark.parametrize("index", [9999, -1, 1.5, "x", [], {}])
def test_an_unknown_function_is_refused(post, route, index):
    status, answer = post(route, {"data": [], "fn_index": index, "session_hash": "x"})
    assert status == 404
    assert answer["error"].startswith("There is no endpoint ")


def test_other_fields_of_a_wrong_type_are_refused_in_a_sentence(post):
    status, answer = post("run/translate", {"data": RIGHT, "session_hash": 4})
    assert (status, answer) == (
        422,
        {"error": "The request is wrong at body.session_hash: Input should be a valid string"},
    )


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([*RIGHT, 64]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(["translate", "measure_length", "metrics"]),
    data=st.lists(ANYTHING, max_size=8) | ANYTHING,
)
def test_whatever_is_sent_is_answered_or_refused_in_one_sentence(post, name, data):
    status, answer = post(f"run/{name}", {"data": data})
    if status == 200:
        assert isinstance(data, list)
        api.endpoints()[name].check(data)
    else:
        assert 400 <= status < 500
        assert answer.keys() == {"error"}
        assert 10 < len(answer["error"]) < 250
        assert "Traceback" not in answer["error"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec=None), max_size=120))
def test_any_text_is_answered(post, text):
    status, answer = post("run/translate", {"data": [text, *RIGHT[1:]]})
    assert status == 200
    assert len(answer["data"][0]["text"]) == 10


def test_the_client_is_answered(client):
    named = dict(zip(NAMES, RIGHT, strict=False))
    assert client.predict(*RIGHT, api_name="/translate")["text"] == "1993-02-07"
    assert client.predict(**named, width=16, epoch=0, api_name="/translate")["text"] != "1993-02-07"
    assert len(client.predict("lesson", "attention", 64, 16, api_name="/metrics")) > 1


@pytest.mark.parametrize(("arguments", "said"), [wrong for wrong in WRONG if len(wrong[0]) > 4])
def test_the_client_raises_the_sentence(client, arguments, said):
    with pytest.raises(ValidationError) as caught:
        client.predict(*arguments, api_name="/translate")
    assert said in str(caught.value)


def test_a_fault_of_ours_stays_500_with_a_plain_sentence(post, client, backend, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("secret")

    monkeypatch.setattr(backend, "ready_models", fail)
    status, answer = post("run/translate", {"data": RIGHT})
    assert (status, answer["error"]) == (500, api._FAILED)
    with pytest.raises(AppError, match="This could not be answered"):
        client.predict(*RIGHT, api_name="/translate")


def test_only_the_endpoints_are_shown_with_a_description_for_each_argument(served):
    shown = json.load(urllib.request.urlopen(f"{served}/gradio_api/info"))
    assert shown["unnamed_endpoints"] == {}
    assert list(shown["named_endpoints"]) == ["/translate", "/measure_length", "/metrics"]
    for name, endpoint in shown["named_endpoints"].items():
        arguments = api.endpoints()[name[1:]].arguments
        assert len(endpoint["description"]) > 100
        assert [each["parameter_name"] for each in endpoint["parameters"]] == [each.name for each in arguments]
        for parameter, argument in zip(endpoint["parameters"], arguments, strict=True):
            assert parameter["python_type"]["description"] == argument.about
            assert parameter["example_input"] == argument.example
            assert parameter["parameter_has_default"] != argument.required
            assert "Any" not in parameter["python_type"]["type"]


def test_the_pages_own_events_pass(served, post):
    config = json.load(urllib.request.urlopen(f"{served}/config"))
    live = next(
        each for each in config["dependencies"] if len(each["inputs"]) == 5 and each["api_visibility"] == "private"
    )
    status, answer = post("run/predict", {"data": [TEXT, "everyday", "greedy", 1, 64], "fn_index": live["id"]})
    assert status == 200
    assert "1993" in json.dumps(answer["data"])
