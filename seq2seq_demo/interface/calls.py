"""Refuses wrong calls of the endpoints with a 4xx status and one sentence, before Gradio sees them.

Gradio answers whatever goes wrong in a call with status 500, and with no word of it unless the handler raised it.
"""

import json
import re
import reprlib
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seq2seq_demo.interface.api import endpoints
from seq2seq_demo.interface.arguments import CallError, Endpoint

# Far more than the longest text that is taken, in any spelling of JSON.
MAX_BODY = 4_000_000
_ROUTE = re.compile(r"/gradio_api/(?P<kind>run|api|call/v2|call|queue/join|mcp/http|mcp)(?:/(?P<name>[^/]+))?/?$")


@dataclass(frozen=True)
class Calls:
    """ASGI middleware: reads each call of an endpoint by any of Gradio's routes, and refuses or completes it.

    What is not a call of these endpoints, the page's own events above all, passes as it came.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        route = _ROUTE.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if route is None:
            await self.app(scope, receive, send)
            return
        kind, name = route["kind"], route["name"]
        body: Any = None
        try:
            raw = await _read(receive)
            body = _parse(Headers(scope=scope), raw, kind)
            completed = self._complete(kind, name, body, scope["app"].get_blocks())
        except CallError as error:
            await _refusal(kind, error, body)(scope, receive, send)
            return
        if completed is not body:
            raw = json.dumps(completed).encode()
            scope = {**scope, "headers": list(scope["headers"])}
            MutableHeaders(scope=scope)["content-length"] = str(len(raw))
        await self.app(scope, _replay(raw, receive), send)

    def _complete(self, kind: str, name: str | None, body: Any, blocks: Any) -> Any:
        """The body with all arguments in it; the same object if it is not for one of the endpoints."""
        if kind.startswith("mcp"):
            return self._complete_tool(body, blocks)
        if not isinstance(body, dict):
            raise CallError(f"The body is no JSON object; {_SHAPES[kind == 'call/v2']}", 400)
        if kind == "call/v2":
            return self._named(name).check(body)
        called = _called(name, None if kind == "call" else body.get("fn_index"), blocks)
        if called not in endpoints() and any(function.api_name == called for function in blocks.fns.values()):
            return body
        endpoint = self._named(called)
        if not isinstance(body.get("data"), list):
            raise CallError(f"The body has no list named data; {_SHAPES[False]}", 400)
        return {**body, "data": list(endpoint.check(body["data"]).values())}

    def _complete_tool(self, body: Any, blocks: Any) -> Any:
        match body:
            case {"method": "tools/call", "params": {"name": str(tool), **params}} if blocks.mcp_server_obj:
                endpoint = endpoints().get(blocks.mcp_server_obj.tool_to_endpoint.get(tool, "").lstrip("/"))
                given = params.get("arguments") or {}
                if endpoint is not None and isinstance(given, dict):
                    return {**body, "params": {**params, "name": tool, "arguments": endpoint.check(given)}}
        return body

    def _named(self, name: str | None) -> Endpoint:
        endpoint = endpoints().get(name or "")
        if endpoint is None:
            there_are = ", ".join(f"/{each}" for each in endpoints())
            raise CallError(f"There is no endpoint {str(name)[:60]!r}; there are {there_are}", 404)
        return endpoint


async def refuse_unreadable(request: Request, error: Exception) -> JSONResponse:
    """FastAPI's handler for what it cannot read in any other request: a sentence, as everywhere."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return JSONResponse({"error": f"The request is wrong at {where}: {first['msg']}"}, 422)


_SHAPES = ('send {"data": [...]} with the arguments in their order', "send the arguments by name")


def _called(name: str | None, index: Any, blocks: Any) -> str | None:
    """The name of the function that is called: by its number where there is one, as Gradio has it."""
    if index is None:
        return name
    return blocks.fns[index].api_name if isinstance(index, int) and index in blocks.fns else reprlib.repr(index)


def _parse(headers: Headers, raw: bytes, kind: str) -> Any:
    if kind.startswith("mcp"):
        # What is no JSON there, the MCP server refuses as its protocol has it.
        try:
            return json.loads(raw)
        except (ValueError, RecursionError):
            return None
    if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise CallError("Send JSON, with the header Content-Type: application/json", 415)
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise CallError(f"The body is not JSON; {_SHAPES[kind == 'call/v2']}", 400) from None


def _refusal(kind: str, error: CallError, body: Any) -> JSONResponse:
    """The response in the shape that callers of a route read errors in."""
    sentence = str(error)
    if kind.startswith("mcp") and isinstance(body, dict):
        result = {"content": [{"type": "text", "text": sentence}], "isError": True}
        return JSONResponse({"jsonrpc": "2.0", "id": body.get("id"), "result": result})
    content: dict[str, Any] = {"error": sentence}
    if kind == "queue/join" and error.status == 422:
        # gradio_client raises what it finds in this shape.
        wrong = {"__type__": "validate", "is_valid": False, "parameter_name": error.argument or "arguments"}
        content["detail"] = [{**wrong, "message": sentence}]
    return JSONResponse(content, error.status)


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        if sum(map(len, parts)) > MAX_BODY:
            raise CallError(f"The body is longer than {MAX_BODY} bytes; send less", 413)
        more = message.get("more_body", False)
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body again, in one piece, and then whatever comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
