"""The pages: every block of Python that uses the package is run."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python omerta *(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: What a word behind the mark asks for.
WANTED = {"pettingzoo": "pettingzoo", "openspiel": "pyspiel", "ray": "ray", "plots": "matplotlib"}


def blocks() -> list[tuple[str, list[str], str]]:
    found = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            found.append((f"{page.relative_to(DOCS)}:{line}", block[1].split(), block[2]))
    return found


def test_there_are_blocks() -> None:
    assert len(blocks()) >= 5
    words = {word for _, marks, _ in blocks() for word in marks}
    assert words <= WANTED.keys() | {"slow"}


@pytest.mark.parametrize(("words", "text"), [pytest.param(words, text, id=place) for place, words, text in blocks()])
def test_it_runs_as_it_stands(words: list[str], text: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if "slow" in words and not request.config.getoption("--slow"):
        pytest.skip("takes minutes: --slow")
    for word in words:
        if word in WANTED and importlib.util.find_spec(WANTED[word]) is None:
            pytest.skip(f"{WANTED[word]} is not installed")
    run = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
