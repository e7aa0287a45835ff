"""What the tests share: the games inside, and `--slow`."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

#: Tables at which every bundled game can be played, where the usual one is not enough.
pytest_plugins = ["pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run what takes minutes as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="takes minutes: --slow"))


def omerta_command(*words: str, **keywords: object) -> subprocess.CompletedProcess[str]:
    """The program, as `python -m omerta`."""
    line = [sys.executable, "-m", "omerta", *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, **keywords)  # type: ignore[call-overload]


def games() -> list[str]:
    """The names of all rulesets inside."""
    listed = omerta_command("list").stdout
    part = listed.split("Overlays")[0]
    return re.findall(r"^  (\S+)", part, re.MULTILINE)
