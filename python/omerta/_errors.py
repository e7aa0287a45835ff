"""What goes wrong, with code and place where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omerta._core import Mistake, Place


class Error(Exception):
    """Whatever goes wrong in Omerta."""


class RulesError(Error):
    """The rules, the scenarios or the cards are wrong, or cannot be read.

    The message is drawn as `omerta check` draws it; `mistakes` has every mistake as an object.
    """

    def __init__(self, message: str, mistakes: list[Mistake] | None = None) -> None:
        super().__init__(message, mistakes or [])
        self.mistakes: list[Mistake] = mistakes or []

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def code(self) -> str | None:
        """The code of the first mistake, as `omerta explain` takes it."""
        wrong = [mistake for mistake in self.mistakes if not mistake.is_warning]
        return wrong[0].code if wrong else None

    @property
    def place(self) -> Place | None:
        """Where the first mistake stands."""
        wrong = [mistake for mistake in self.mistakes if not mistake.is_warning and mistake.places]
        return wrong[0].places[0] if wrong else None


class TableError(Error, ValueError):
    """So many cannot play, or not under these names."""


class IllegalAnswer(Error, ValueError):
    """The answer is not legal; nothing has changed. `legal` has the answers that could be given."""

    def __init__(self, message: str, legal: list[str] | None = None) -> None:
        super().__init__(message, legal or [])
        self.legal: list[str] = legal or []

    def __str__(self) -> str:
        some = ", ".join(self.legal[:12])
        more = ", …" if len(self.legal) > 12 else ""
        return f"{self.args[0]}; legal: {some}{more}" if some else str(self.args[0])


class SaveError(Error, ValueError):
    """The text is no kept game or run, or none of these rules."""
