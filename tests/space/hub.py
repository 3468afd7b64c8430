"""A stand-in for the part of the Hub's HTTP API that a deployment uses; remembers every request."""

import base64
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "hf_standin"  # of the user "me"


class Hub:
    """Spaces by id, each a mapping of path and content; while entered, it answers at `url`.

    `paying` is whether "me" may have new Gradio Spaces; `yaml_errors` is what it finds wrong with any card.
    """

    def __init__(self):
        self.spaces = {}
        self.requests = []
        self.paying = True
        self.yaml_errors = []
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error):
        self._server.shutdown()
        self._server.server_close()

    def asked(self):
        """Method and path of all requests, without what the client asks about itself."""
        return [(method, path) for method, path, _ in self.requests if "agent-harnesses" not in path]

    def answer(self, method, path, token, body):
        """Status, headers and JSON of the answer."""
        if path == "/api/validate-yaml":
            return (400 if self.yaml_errors else 200), {}, {"errors": self.yaml_errors, "warnings": []}
        if token != TOKEN:
            return 401, {"X-Error-Message": "Invalid username or password."}, {"error": "Invalid username or password."}
        if path == "/api/repos/create":
            return self.create(json.loads(body))
        found = re.fullmatch(r"/api/spaces/(\w+/\w+)(?:/(\w+)/main)?", path)
        if not found or found[1] not in self.spaces:
            return 404, {"X-Error-Code": "RepoNotFound"}, {"error": "Repository not found"}
        if method == "POST" and not found[1].startswith("me/"):
            return 403, {}, {"error": "Forbidden: you must have write access to this repository"}
        return 200, {}, getattr(self, found[2] or "revision")(found[1], body)

    def create(self, asked):
        owner = asked["organization"] or "me"
        space, answer = f"{owner}/{asked['name']}", {"url": f"{self.url}/spaces/{owner}/{asked['name']}"}
        if owner != "me":
            return 403, {}, {"error": f'You don\'t have the rights to create a space under the namespace "{owner}"'}
        if not self.paying:
            return 402, {}, {"error": "hosting Gradio and Docker Spaces on free cpu-basic requires a PRO subscription."}
        if space in self.spaces:
            return 409, {}, {"error": "You already created this space repo", **answer}
        assert (asked["type"], asked["sdk"]) == ("space", "gradio")
        self.spaces[space] = {".gitattributes": b"*.bin filter=lfs", "README.md": b"---\nsdk: gradio\n---\n"}
        return 200, {}, answer

    def revision(self, space, body):
        return {"id": space, "sha": "a" * 40}

    def tree(self, space, body):
        return [
            {"type": "file", "path": path, "size": len(content), "oid": blob(content)}
            for path, content in self.spaces[space].items()
        ]

    def preupload(self, space, body):
        def told(file):
            content = self.spaces[space].get(file["path"])
            known = {} if content is None else {"oid": blob(content)}
            return {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False, **known}

        return {"files": [told(file) for file in json.loads(body)["files"]]}

    def commit(self, space, body):
        for line in map(json.loads, body.decode().splitlines()):
            value = line["value"]
            if line["key"] == "file":
                assert value["encoding"] == "base64"
                self.spaces[space][value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "deletedFile":
                del self.spaces[space][value["path"]]
            else:
                assert line["key"] == "header"
        return {"commitUrl": f"{self.url}/spaces/{space}/commit/{'a' * 40}", "commitOid": "a" * 40}


class _Handler(BaseHTTPRequestHandler):
    hub: Hub

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        self.hub.requests.append((self.command, path, body))
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        status, headers, answer = self.hub.answer(self.command, path, token, body)
        content = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": len(content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = respond  # noqa: N815

    def log_message(self, *_):
        """Keep quiet."""


def blob(content):
    """The name that git gives to a content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
