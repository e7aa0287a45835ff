"""The pages: every block of Python that uses the package is run."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import omerta

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


@pytest.mark.skipif(shutil.which("xargs") is None, reason="there is no xargs")
def test_parts_by_xargs_come_to_the_whole(tmp_path: Path) -> None:
    page = (DOCS / "book" / "sweeps.md").read_text(encoding="utf-8")
    [recipe] = re.findall(r"^```text\n(seq .*?)^```$", page, re.MULTILINE | re.DOTALL)
    command = tmp_path / "omerta"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m omerta "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    paths = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    # A second time finds the parts, and one that is damaged is named.
    for _ in range(2):
        run = subprocess.run(["sh", "-c", recipe], cwd=tmp_path, env=paths, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        merged = (tmp_path / "run.json").read_text(encoding="utf-8")
        assert merged == omerta.simulate(omerta.load("city"), 4000, players=8).run
    (tmp_path / "part2.json").write_text("{}", encoding="utf-8")
    run = subprocess.run(["sh", "-c", recipe], cwd=tmp_path, env=paths, capture_output=True, text=True, timeout=300)
    assert run.returncode != 0 and "part2.json" in run.stderr


@pytest.mark.slow
def test_the_tutorial_runs_from_its_first_cell_to_its_last() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    tutorial = nbformat.read(DOCS.parent / "python" / "examples" / "tutorial.ipynb", as_version=4)
    nbclient.NotebookClient(tutorial, timeout=300).execute()
    shown = [output for cell in tutorial.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
    assert any("text/html" in output.get("data", {}) for output in shown)
