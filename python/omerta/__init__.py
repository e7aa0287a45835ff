"""Omerta for Python: rules, games, views of each seat, many games at once.

>>> import omerta
>>> rules = omerta.load("city")
>>> game = rules.begin(players=8, seed=7)
>>> game.play_on() > 0
True
>>> game.over, sorted(game.winners) == game.winners
(True, True)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from omerta._core import (
    Answer,
    Arena,
    Arenas,
    Counts,
    Event,
    Feature,
    Game,
    Mistake,
    Numbers,
    Outcome,
    Place,
    Question,
    Rules,
    Setting,
    Title,
    Tried,
    __version__,
    merge,
)
from omerta import _core
from omerta._errors import Error, IllegalAnswer, RulesError, SaveError, TableError

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = [
    "Answer",
    "Arena",
    "Arenas",
    "Counts",
    "Error",
    "Event",
    "Feature",
    "Game",
    "IllegalAnswer",
    "Mistake",
    "Numbers",
    "Outcome",
    "Place",
    "Question",
    "Rules",
    "RulesError",
    "SaveError",
    "Setting",
    "TableError",
    "Title",
    "Tried",
    "__version__",
    "check",
    "exact",
    "frame",
    "load",
    "merge",
    "plot",
    "run_scenarios",
    "simulate",
]

#: What an option may be set to: `True` and `False` stand for `yes` and `no`.
Option = str | int | bool


def _word(value: Option) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def load(
    source: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    overlays: Iterable[str] = (),
    options: Mapping[str, Option] | None = None,
    beside: Mapping[str, str] | None = None,
) -> Rules:
    """Loads rules: bundled ones by their name, a file by its path, or a `text` in memory.

    `overlays` are names or paths; `beside` has texts that the rules use, by their names. Rules with mistakes raise
    `RulesError`, which has each of them with its place.

    >>> load("city", overlays=["mayor"]).overlays
    ['mayor']
    >>> load(text="ruleset empty")
    Traceback (most recent call last):
        ...
    omerta._errors.RulesError: ...
    """
    if (source is None) == (text is None):
        raise TypeError("either the name or the path of rules is given, or their text=")
    texts = dict(beside or {})
    name = os.fspath(source) if source is not None else "rules.mafia"
    if text is not None:
        texts[name] = text
    if not isinstance(options or {}, Mapping):
        raise TypeError("options are a mapping of their names to their values, {'tied-vote': 'nobody'}")
    chosen = [(option, _word(value)) for option, value in (options or {}).items()]
    return _core.load(name, list(overlays), chosen, list(texts.items()))


def check(
    source: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    overlays: Iterable[str] = (),
    options: Mapping[str, Option] | None = None,
    beside: Mapping[str, str] | None = None,
) -> list[Mistake]:
    """All mistakes and warnings of rules, without raising.

    >>> [mistake.code for mistake in check("city")]
    []
    """
    try:
        rules = load(source, text=text, overlays=overlays, options=options, beside=beside)
    except RulesError as error:
        if not error.mistakes:
            raise
        return error.mistakes
    return rules.warnings


def simulate(
    rules: Rules,
    games: int,
    *,
    players: int | None = None,
    names: list[str] | None = None,
    cast: str | None = None,
    seed: int = 1,
    threads: int = 0,
    policies: Iterable[str] = (),
    shard: tuple[int, int] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Numbers:
    """Plays many games with players who answer at random, or by `policies` of the rules.

    The numbers are those of `omerta sim` with the same seed, on any number of `threads`; other threads of Python go on
    meanwhile, and Ctrl-C stops. `progress` hears about ten times a second how many games were played. `shard=(2, 5)`
    plays the second of five parts, which `merge` puts together.

    >>> numbers = simulate(load("city"), 1000, players=8)
    >>> numbers.games, numbers.wrong
    (1000, 0)
    """
    return _core.simulate(
        rules,
        games,
        players=players,
        names=names,
        cast=cast,
        seed=seed,
        threads=threads,
        policies=list(policies),
        shard=shard,
        progress=progress,
    )


def exact(
    rules: Rules,
    *,
    players: int | None = None,
    names: Iterable[str] = (),
    cast: str | None = None,
    policies: Iterable[str] = (),
    most_positions: int | None = None,
    seconds: int | None = None,
    threads: int = 0,
) -> dict[str, Any]:
    """How often who wins when everybody answers at random, by walking every position: what `omerta exact --json` tells.

    Every value under `counted` has its bounds, `low` and `high`; where nothing is open any more it is a `fraction`,
    too. The walk is made by the program, in a process of its own, and Ctrl-C stops it.

    >>> walked = exact(load("village"), players=4)
    >>> [one["value"]["fraction"] for one in walked["counted"] if one["kind"] == "team"][:2]
    ['...', '...']
    """
    from omerta import _exact

    if not isinstance(rules, Rules):
        raise TypeError('the rules are what `load` gives: `exact(load("village"))`')
    for name, several in (("names", names), ("policies", policies)):
        if isinstance(several, str):
            raise TypeError(f'{name}= takes several: `["{several}"]`')
    given: dict[str, object] = {
        "players": players,
        "names": list(names),
        "cast": cast,
        "policy": list(policies),
        "most-positions": most_positions,
        "seconds": seconds,
        "threads": threads,
    }
    return _exact.walk(rules, given)


def run_scenarios(
    path: str | os.PathLike[str] | None = None, *, text: str | None = None, filter: str = ""
) -> list[Tried]:
    """Runs the scenarios of a `.play` file or of a `text`: those with the letters of `filter` in their name.

    >>> tried = run_scenarios(text='ruleset city\\n\\nplay "eight begin"\\n  seats 8\\n')
    >>> [(one.name, one.passed) for one in tried]
    [('eight begin', True)]
    """
    if (path is None) == (text is None):
        raise TypeError("either the path of scenarios is given, or their text=")
    return _core.scenarios(os.fspath(path) if path is not None else "scenarios.play", text, filter)


@overload
def frame(numbers: Numbers, library: Literal["pandas"]) -> pandas.DataFrame: ...
@overload
def frame(numbers: Numbers, library: Literal["polars"]) -> polars.DataFrame: ...
@overload
def frame(numbers: Numbers, library: None = None) -> Any: ...
def frame(numbers: Numbers, library: str | None = None) -> Any:
    """What was counted as a table of pandas or of polars; of the one that is installed where none is named."""
    from omerta import _display

    return _display.frame(numbers, library)


def plot(numbers: Numbers, kind: str = "team") -> Any:
    """The shares of wins as bars with their margins, drawn by matplotlib; `kind` is `team`, `role` or `seat`."""
    from omerta import _display

    return _display.plot(numbers, kind)


def _load_again(
    source: str, overlays: list[str], options: list[tuple[str, str]], texts: list[tuple[str, str]], identity: str
) -> Rules:
    rules = _core.load(source, overlays, options, texts)
    if rules.identity != identity:
        raise SaveError(
            f"`{source}` has other rules here (another version of omerta, {__version__} here, or another file); "
            "install the same version on both sides"
        )
    return rules


def _restore_again(rules: Rules, text: str, chance_by_hand: bool) -> Game:
    return rules.restore(text, chance_by_hand=chance_by_hand)


def _arena_again(
    rules: Rules,
    players: int | None,
    names: list[str] | None,
    cast: str | None,
    seed: int,
    chance_by_hand: bool,
    offers: bool,
    given: list[int],
) -> Arena:
    arena = rules.arena(
        players=players, names=names, cast=cast, seed=seed, chance_by_hand=chance_by_hand, offers=offers
    )
    for number in given:
        arena.step(number)
    return arena
