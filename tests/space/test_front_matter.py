"""The README's front matter, which is the Space's configuration."""

import re
import unicodedata

import yaml
from huggingface_hub import SpaceCard, SpaceCardData, SpaceHardware
from project import ROOT

from space.assemble import files

README = (ROOT / "README.md").read_text("utf-8")
RAW = README.split("---\n")[1]
DATA = SpaceCard(README).data
# huggingface.co/docs/hub/spaces-config-reference
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
KEYS = {
    *(
        "title",
        "emoji",
        "colorFrom",
        "colorTo",
        "sdk",
        "sdk_version",
        "python_version",
        "app_file",
        "pinned",
        "license",
    ),
    *("short_description", "tags", "suggested_hardware"),
}


def test_it_is_all_there_and_nothing_is_misspelt():
    assert isinstance(DATA, SpaceCardData)
    assert set(yaml.safe_load(RAW)) == KEYS
    assert DATA.to_dict() == yaml.safe_load(RAW), "what the Hub's own class makes of it is what is written"


def test_every_value_is_within_its_limits():
    assert DATA.sdk == "gradio"
    assert 0 < len(DATA.short_description) <= 60
    assert {DATA.colorFrom, DATA.colorTo} <= COLOURS
    assert [unicodedata.category(sign) for sign in DATA.emoji] == ["So"], "one emoji"
    assert DATA.suggested_hardware == SpaceHardware.CPU_BASIC.value
    assert DATA.pinned is False
    assert len(DATA.tags) == len(set(DATA.tags)) > 0
    assert all(re.fullmatch(r"[a-z0-9-]+", tag) for tag in DATA.tags)


def test_versions_are_those_that_are_tested():
    pins = dict(re.findall(r"^([\w-]+)==([^\s;]+)", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE))
    assert DATA.sdk_version == pins["gradio"]
    # Without quotes YAML reads 3.10 as the number 3.1.
    assert re.search(r'^python_version: "3\.1[123]"$', RAW, re.MULTILINE)
    assert isinstance(DATA.python_version, str)
    assert f"python{DATA.python_version}" in (ROOT / "Makefile").read_text("utf-8")


def test_the_app_is_among_the_files():
    assert DATA.app_file in files()
