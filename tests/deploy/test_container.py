"""What can be rehearsed of the Dockerfile without building it. Its lint is `make lint`'s."""

import json
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch

import pytest

from tests.deploy.replicas import ROOT, Copy

DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8"))


def instruction(name):
    return re.findall(rf"^\s*{name}\s+(.*)$", DOCKERFILE, re.M)


def command_of(text):
    """The exec form of a command, with this Python for the image's."""
    program, *arguments = json.loads(text[text.index("[") :])
    assert program == "python"
    return [sys.executable, *arguments]


def copied():
    return [source.rstrip("/") for line in instruction("COPY") for source in line.split()[:-1]]


def environment():
    return dict(re.findall(r"(\w+)=(\S+)", instruction("ENV")[0]))


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The folder that the image would have: what is copied, less what .dockerignore keeps out."""
    folder = tmp_path_factory.mktemp("image")
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]

    def matches(path, rule):
        """Whether a rule names a path or a folder it is in."""
        pattern = rule.lstrip("!")
        if pattern.startswith("**/"):
            return any(fnmatch(part, pattern[3:]) for part in path.parts)
        return any(fnmatch(str(part), pattern) for part in (path, *path.parents))

    def taken(path):
        kept = True
        for rule in rules:
            kept = rule.startswith("!") if matches(path.relative_to(ROOT), rule) else kept
        return kept

    for source in copied():
        paths = [ROOT / source, *(ROOT / source).rglob("*")]
        for path in paths:
            if path.is_file() and taken(path):
                target = folder / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    return folder


def test_the_base_is_pinned_and_the_user_is_not_root():
    (base,) = instruction("FROM")
    assert re.fullmatch(r"python:3\.11\.\d+-slim-bookworm", base)
    assert instruction("USER") == ["1000"]
    assert "--uid 1000" in DOCKERFILE
    assert instruction("EXPOSE") == [environment()["GRADIO_SERVER_PORT"]]


def test_all_that_is_copied_exists_and_is_in_the_repository():
    assert len(copied()) == 7
    for source in copied():
        tracked = subprocess.run(["git", "ls-files", source], cwd=ROOT, capture_output=True, text=True, check=True)
        assert tracked.stdout, source


def test_the_image_has_what_the_app_reads_and_nothing_else(image):
    there = {str(path.relative_to(image)) for path in image.rglob("*") if path.is_file()}
    assert {"app.py", "requirements.txt", "trained/manifest.json", "data/lesson_page.json", "assets/page.css"} <= there
    assert not any(name.endswith(".pyc") or "screenshot" in name for name in there)
    assert {name.split("/")[0] for name in there} == {source.split("/")[0] for source in copied()}


def test_the_command_starts_the_app_and_the_health_check_sees_it_live_and_die(image):
    (start,) = instruction("CMD")
    (check,) = instruction("HEALTHCHECK")
    app = Copy(command_of(start), image, {**environment(), "PYTHONPATH": ""})
    port = {"GRADIO_SERVER_PORT": str(app.port)}

    def healthy():
        return subprocess.run(command_of(check), env=port, capture_output=True, check=False).returncode == 0

    assert not healthy()
    app.start()
    try:
        app.wait()
        assert healthy()
    finally:
        app.kill()
    assert not healthy()
