"""The wheel, installed where no checkout is on the path."""

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import seq2seq_demo as s2s

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def run(*command, cwd, **options):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A Python with the wheel in it, and beside it what the tests' own Python has."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = run(*pip, "wheel", ROOT, "--no-deps", "--no-build-isolation", "--wheel-dir", folder, cwd=folder)
    assert build.returncode == 0, build.stderr
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size < 45e6
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    done = run(*pip, "--python", python, "install", "--no-deps", wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    (packages / "beside.pth").write_text(sysconfig.get_path("purelib"))
    return python, packages


def test_the_package_translates_from_another_folder(installed, tmp_path, attention):
    python, packages = installed
    script = (
        "import seq2seq_demo as s2s; print(s2s.__file__); print(s2s.__version__);"
        "t = s2s.load_model('attention').translate('due 7 feb 1993'); print(t.text, t.log_probability)"
    )
    done = run(python, "-c", script, cwd=tmp_path)
    assert done.stderr == ""
    file, version, answer = done.stdout.splitlines()
    assert Path(file).is_relative_to(packages)
    assert version == s2s.__version__
    here = attention.translate("due 7 feb 1993")
    assert answer == f"{here.text} {here.log_probability}"


def test_both_ways_to_the_command_line_answer(installed, tmp_path):
    python, _ = installed
    for command in ([python.with_name("seq2seq-demo")], [python, "-m", "seq2seq_demo"]):
        done = run(*command, "translate", input="due 7 feb 1993\n", cwd=tmp_path)
        assert done.stderr == ""
        assert done.stdout.splitlines()[1].split("\t")[:2] == ["due 7 feb 1993", "1993-02-07"]


def test_the_page_is_built_from_the_installed_files(installed, tmp_path):
    python, packages = installed
    script = (
        "import seq2seq_demo.interface.__main__ as app; from seq2seq_demo.interface.backend import Backend;"
        "from seq2seq_demo.interface.page import build; print(len(build(Backend()).blocks) > 10, app.__file__)"
    )
    done = run(python, "-c", script, cwd=tmp_path)
    assert done.stdout.split() == ["True", str(packages / "seq2seq_demo" / "interface" / "__main__.py")], done.stderr


def test_training_does_not_write_into_the_installed_package(installed, tmp_path):
    python, _ = installed
    script = "from seq2seq_demo import files; print(files.INSTALLED, files.RETRAINED.resolve())"
    assert run(python, "-c", script, cwd=tmp_path).stdout.split() == ["True", str(tmp_path / "trained")]


def test_a_type_checker_sees_the_types(installed, tmp_path):
    python, packages = installed
    assert (packages / "seq2seq_demo" / "py.typed").exists()
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\nignore_missing_imports = true\n[mypy-tensorflow.*,keras.*,pandas.*,tqdm.*]\nfollow_imports = skip\n"
    )
    (tmp_path / "user.py").write_text(
        "import seq2seq_demo as s2s\n"
        "text: str = s2s.load_model('attention').translate('7 feb 1993').text\n"
        "wrong: int = s2s.load_model('attention').translate('7 feb 1993').text\n"
        "reason: str | None = s2s.find_reference('x').reason\n"
    )
    done = run(sys.executable, "-m", "mypy", "--python-executable", python, "user.py", cwd=tmp_path)
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1, done.stdout + done.stderr
    assert errors[0].startswith("user.py:3: error: Incompatible types in assignment")


def test_there_is_one_version(installed):
    _, packages = installed
    (found,) = importlib.metadata.distributions(name="seq2seq-demo", path=[str(packages)])
    changes = re.findall(r"^## \[(.+?)\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert found.version == s2s.__version__ == changes[0][0] == citation["version"]
    assert changes[0][1] == str(citation["date-released"])
    assert found.metadata["License-Expression"] == citation["license"] == "Apache-2.0"
    assert set(found.metadata.get_all("Provides-Extra")) == {"app", "mcp", "parquet", "ray"}


def test_the_citation_has_what_its_format_requires():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert all(author.get("name") or author.get("family-names") for author in citation["authors"])


def test_the_licence_is_whole():
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert text.split()[:4] == ["Apache", "License", "Version", "2.0,"]
    assert "END OF TERMS AND CONDITIONS" in text
    assert len(text) > 11_000


def pins():
    found = {}
    for file in ROOT.glob("requirements*.txt"):
        for line in file.read_text("utf-8").splitlines():
            if "==" in line and not line.startswith("#"):
                requirement = Requirement(line)
                found[requirement.name] = next(iter(requirement.specifier)).version
    return found


@pytest.mark.parametrize("extra", ["", *PROJECT["optional-dependencies"]])
def test_what_is_pinned_is_within_the_range(extra):
    pinned = pins()
    for line in PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]:
        requirement = Requirement(line)
        if requirement.name != PROJECT["name"]:
            assert requirement.specifier.contains(pinned[requirement.name]), line
