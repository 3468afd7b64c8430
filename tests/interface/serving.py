"""Fixtures: the app served from the tests' own process, and a way to post to it."""

import json
import socket
import urllib.error
import urllib.request

import pytest

from seq2seq_demo.interface.backend import Backend
from seq2seq_demo.interface.page import LAUNCH, build, theme


class ReadyBackend(Backend):
    """Ready from the start, without a compilation that most tests have no use for."""

    def wait(self, *asked):
        return self.failure is None

    def ready_models(self, training, rows=1, length=0, beam_width=1, width=64, epoch=None):
        if self.failure:
            return None
        return {name: model.without_xla() for name, model in self.models(training, width, epoch).items()}


@pytest.fixture(scope="session")
def backend():
    return ReadyBackend()


@pytest.fixture(scope="session")
def served(backend):
    """The address of the whole app, its MCP server too, served from this process."""
    page = build(backend)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {"theme": theme(), "mcp_server": True, "prevent_thread_lock": True, "quiet": True}
    page.launch(server_name="127.0.0.1", server_port=port, **options, **LAUNCH)
    yield f"http://127.0.0.1:{port}"
    page.close()


@pytest.fixture(scope="session")
def post(served):
    """A function that posts to a route and returns the status and the JSON of the answer."""

    def post(route, body, content_type="application/json"):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{served}/gradio_api/{route}", raw, {"Content-Type": content_type})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    return post
