"""Collects `.play` files as tests of pytest: one for each scenario, its failure drawn as `omerta test` draws it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import omerta
from omerta import _core


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Takes every file that ends in `.play`."""
    if file_path.suffix == ".play":
        return PlayFile.from_parent(parent, path=file_path)
    return None


class PlayFile(pytest.File):
    """A file of scenarios. All are run once, when they are collected."""

    def collect(self) -> Iterator[pytest.Item]:
        seen: dict[str, int] = {}
        for tried in _core.scenarios(str(self.path)):
            seen[tried.name] = seen.get(tried.name, 0) + 1
            number = seen[tried.name]
            name = tried.name if number == 1 else f"{tried.name} ({number})"
            yield PlayItem.from_parent(self, name=name, tried=tried)


class ScenarioFailed(Exception):
    """A scenario does not hold."""


class PlayItem(pytest.Item):
    """A scenario."""

    def __init__(self, *, tried: omerta.Tried, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.tried = tried

    def runtest(self) -> None:
        """Fails with what did not hold."""
        if self.tried.passed:
            return
        drawn = [mistake.drawn for mistake in self.tried.mistakes]
        drawn += [
            f"the snapshot {file} is new or another than it was; `omerta test --review` shows it"
            for file in self.tried.snapshots
        ]
        raise ScenarioFailed("\n".join(drawn))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The drawing alone: a stack of functions of pytest tells nobody anything."""
        if isinstance(excinfo.value, ScenarioFailed):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands."""
        return self.path, None, f"play {self.name}"
