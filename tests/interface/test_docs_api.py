"""Every example of docs/api.md is run against an app, and prints what stands below it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "api.md"
ADDRESS = "http://127.0.0.1:7860"
RUN_BY = {
    "sh": ["bash", "-o", "pipefail", "-c"],
    "python": [sys.executable, "-c"],
    "js": ["node", "--input-type=module", "--eval"],
}
EXAMPLE = re.compile(r"^```(\w+)\n(.*?)^```\n\n```\n(.*?)^```$", re.M | re.S)


def examples():
    found = EXAMPLE.findall(DOCUMENT.read_text("utf-8"))
    return [pytest.param(*example, id=f"{example[0]}-{number}") for number, example in enumerate(found)]


def test_every_block_of_code_is_an_example_with_its_output():
    fences = re.findall(r"^```.*$", DOCUMENT.read_text("utf-8"), re.M)
    assert len(fences) == 4 * len(examples()) > 0
    assert {example.values[0] for example in examples()} == RUN_BY.keys()


@pytest.mark.parametrize(("language", "code", "printed"), examples())
def test_an_example_prints_what_the_document_says(served, language, code, printed):
    assert ADDRESS in code
    command = [*RUN_BY[language], code.replace(ADDRESS, served)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (printed, 0), done.stderr
