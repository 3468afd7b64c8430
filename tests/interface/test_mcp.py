"""The MCP server, asked by the protocol's own client."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

import seq2seq_demo as s2s
from seq2seq_demo.interface import api

ROOT = Path(__file__).parents[2]
RIGHT = {
    "text": "paid 7 feb 1993",
    "model": "attention",
    "training": "everyday",
    "decoding": "beam search",
    "beam_width": 3,
}


@pytest.fixture(scope="module")
def ask(served):
    """A function that opens a session and awaits what is made of it."""

    def ask(question):
        async def session():
            async with (
                streamable_http_client(f"{served}/gradio_api/mcp/") as (reading, writing, *_),
                ClientSession(reading, writing) as client,
            ):
                await client.initialize()
                return await question(client)

        return asyncio.run(session())

    return ask


@pytest.fixture(scope="module")
def tools(ask):
    return {tool.name: tool for tool in ask(lambda client: client.list_tools()).tools}


def call(ask, name, **arguments):
    return ask(lambda client: client.call_tool(name, arguments))


def test_the_endpoints_are_the_only_tools(tools):
    assert list(tools) == ["translate", "measure_length", "metrics"]


@pytest.mark.parametrize("name", ["translate", "measure_length", "metrics"])
def test_a_tool_says_when_to_use_it_what_it_takes_and_what_comes_back(tools, name):
    tool, endpoint = tools[name], api.endpoints()[name]
    assert "Use it " in tool.description
    assert "eturns " in tool.description
    assert list(tool.inputSchema["properties"]) == [argument.name for argument in endpoint.arguments]
    assert tool.inputSchema.get("required", []) == [a.name for a in endpoint.arguments if a.required]
    for argument in endpoint.arguments:
        schema = tool.inputSchema["properties"][argument.name]
        assert schema["description"] == argument.about
        assert schema["examples"] == [argument.example]
        (taken, *_) = schema.get("anyOf", [schema])
        assert {"maxLength", "enum", "minimum"} & taken.keys()


@pytest.mark.parametrize("name", ["translate", "measure_length", "metrics"])
def test_a_call_made_of_the_examples_alone_is_answered_in_json(ask, tools, name):
    properties = tools[name].inputSchema["properties"]
    found = call(ask, name, **{argument: schema["examples"][0] for argument, schema in properties.items()})
    assert not found.isError
    assert json.loads(found.content[0].text)


def test_a_tools_answer_is_the_librarys(ask):
    found = json.loads(call(ask, "translate", **RIGHT).content[0].text)
    expected = s2s.load_model("attention").without_xla().translate(RIGHT["text"], 3)
    assert found["text"] == expected.text == "1993-02-07"
    assert found["hypotheses"] == [list(hypothesis) for hypothesis in expected.hypotheses]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("translate", {**RIGHT, "model": "gru"}, "model is 'gru'; choose one of: encoder-decoder, attention"),
        ("translate", {**RIGHT, "beam_width": "3"}, "beam_width is '3'; a whole number from 1 to 12 is expected"),
        ("translate", {**RIGHT, "width": 17}, "width 17 does not exist; choose one of: 8, 16, 32, 64"),
        ("translate", {"text": "x"}, "model is missing; /translate takes text, model"),
        ("translate", {**RIGHT, "beam": 3}, "/translate has no argument 'beam'; /translate takes"),
        ("metrics", {"epoch": 5}, "epoch 5 does not exist; choose one of: 0, 1, 2"),
    ],
)
def test_a_wrong_call_is_a_tools_error_with_the_sentence(ask, name, arguments, said):
    found = call(ask, name, **arguments)
    assert found.isError
    assert found.content[0].text.startswith(said)


def test_a_fault_of_ours_is_a_plain_sentence(ask, backend, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("secret")

    monkeypatch.setattr(backend, "ready_models", fail)
    found = call(ask, "translate", **RIGHT)
    assert found.isError
    assert api._FAILED in found.content[0].text


@pytest.mark.parametrize("asked", [["--mcp"], []])
def test_without_its_packages_the_app_says_what_to_install(tmp_path, asked):
    hidden = tmp_path / "sitecustomize.py"
    hidden.write_text(
        "import importlib.util as u\n"
        "found = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'mcp' else found(name, *more)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)} | ({} if asked else {"GRADIO_MCP_SERVER": "True"})
    done = subprocess.run(
        [sys.executable, "app.py", *asked], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == ("error: --mcp needs more packages; install them with: pip install -r requirements-mcp.txt\n")


def test_the_page_needs_none_of_its_packages():
    script = "import sys; sys.modules['mcp'] = None; import app; print(len(app.demo.fns) > 3)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
