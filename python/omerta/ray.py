"""Many variants of a game, each in parts, on the machines of a Ray cluster.

Each part is a file: written under another name and renamed when it is whole, so that a worker killed in the middle
changes nothing, and a sweep that is begun again goes on with what is there. What comes of it is, byte for byte, what
one machine would have come to.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import omerta
from omerta._core import Numbers, Rules

try:
    import ray
except ImportError as error:
    raise ImportError(f"{error}; sweeps want Ray: `pip install omerta[ray]`") from error


@dataclass(frozen=True)
class Variant:
    """A game that is played many times: rules and a table."""

    rules: Rules
    players: int | None = None
    cast: str | None = None
    policies: tuple[str, ...] = ()
    name: str = field(default="", compare=False)


def variants(
    source: str,
    *,
    players: Iterable[int | None] = (None,),
    casts: Iterable[str | None] = (None,),
    overlays: Iterable[Sequence[str]] = ((),),
    options: Iterable[Mapping[str, omerta.Option]] = ({},),
    policies: Iterable[Sequence[str]] = ((),),
) -> list[Variant]:
    """Every combination of the values, as variants; what the rules refuse raises with what is wrong.

    `overlays`, `options` and `policies` are lists of what is tried together: `overlays=[[], ["mayor"]]`.
    """
    made = []
    for laid, chosen in product(list(overlays), list(options)):
        rules = omerta.load(source, overlays=laid, options=chosen)
        for number, cast, followed in product(list(players), list(casts), list(policies)):
            parts = [f"{number} players" if number else "", cast or "", "+".join(laid)]
            parts += [f"{name}={value}" for name, value in chosen.items()]
            parts.append("+".join(followed))
            name = ", ".join(part for part in parts if part) or source
            made.append(Variant(rules, number, cast, tuple(followed), name))
    return made


@dataclass
class Progress:
    """How far a sweep is."""

    done: int
    of: int
    games: int
    #: Since it began, and of processors on all machines together.
    seconds: float
    processor_seconds: float


def sweep(
    wanted: Sequence[Variant],
    games: int,
    *,
    folder: str | os.PathLike[str],
    seed: int = 1,
    shards: int = 8,
    under_way: int | None = None,
    retries: int = 3,
    progress: Callable[[Progress], object] | None = None,
) -> list[Numbers]:
    """Plays every variant `games` times, in `shards` parts each, and gives what each came to, in order.

    Not more than `under_way` parts wait or are played at a time, three for each core unless said; a part whose worker
    dies is played again `retries` times. `folder` is one that all machines see: the parts lie there, and those that
    are there already are not played again. A mistake in the rules is raised before the first game, and so is a
    machine with another version of omerta, with both versions.
    """
    if games < 1 or shards < 1:
        raise ValueError("at least one game is played, in at least one part")
    place = Path(folder).absolute()
    place.mkdir(parents=True, exist_ok=True)
    for variant in wanted:
        variant.rules.arena(players=variant.players, cast=variant.cast)
    if not ray.is_initialized():
        ray.init(logging_level=logging.ERROR)
    cores: Callable[[], dict[str, float]] = ray.cluster_resources
    most = under_way or 3 * max(1, int(cores().get("CPU", 1)))
    paths = [
        [place / _file(variant, games, seed, part, shards) for part in range(1, shards + 1)] for variant in wanted
    ]
    left = [
        (variant, part, path)
        for variant, parts in zip(wanted, paths)
        for part, path in enumerate(parts, 1)
        if not path.exists()
    ]
    task = ray.remote(num_cpus=1, max_retries=retries)(_play)
    _run(task, left, most, games, seed, shards, progress)
    return [_merged(parts) for parts in paths]


def _run(
    task: Any,
    left: list[tuple[Variant, int, Path]],
    most: int,
    games: int,
    seed: int,
    shards: int,
    progress: Callable[[Progress], object] | None,
) -> None:
    begun = time.monotonic()
    waiting = iter(left)
    flying: list[Any] = []
    done = played = 0
    worked = 0.0
    try:
        while done < len(left):
            while len(flying) < most and (one := next(waiting, None)) is not None:
                variant, part, path = one
                flying.append(task.remote(variant, games, seed, part, shards, str(path), omerta.__version__))
            ready, flying = ray.wait(flying, num_returns=1)
            for number, seconds in ray.get(ready):
                played, worked, done = played + number, worked + seconds, done + 1
            if progress is not None:
                progress(Progress(done, len(left), played, time.monotonic() - begun, worked))
    finally:
        for one in flying:
            ray.cancel(one)


def _file(variant: Variant, games: int, seed: int, part: int, shards: int) -> str:
    """The name of a part: another for whatever makes it another run."""
    what = (
        omerta.__version__,
        variant.rules.identity,
        variant.rules.source,
        variant.players,
        variant.cast,
        variant.policies,
        games,
        seed,
    )
    digest = sha256(repr(what).encode()).hexdigest()[:16]
    return f"{variant.rules.name}-{digest}-{part}-of-{shards}.json"


def _play(
    variant: Variant, games: int, seed: int, part: int, shards: int, path: str, version: str
) -> tuple[int, float]:
    """Plays a part, on whatever machine this is, and says how many games that were and how long a processor took."""
    if omerta.__version__ != version:
        raise omerta.Error(f"omerta {omerta.__version__} is on this machine and {version} where the sweep began")
    begun = time.process_time()
    numbers = omerta.simulate(
        variant.rules,
        games,
        players=variant.players,
        cast=variant.cast,
        policies=variant.policies,
        seed=seed,
        threads=1,
        shard=(part, shards),
    )
    unfinished = f"{path}.{os.getpid()}.tmp"
    Path(unfinished).write_text(numbers.run, encoding="utf-8")
    os.replace(unfinished, path)
    return numbers.games, time.process_time() - begun


def _merged(parts: list[Path]) -> Numbers:
    return omerta.merge([part.read_text(encoding="utf-8") for part in parts])


def heat_map(rows: Sequence[str], columns: Sequence[str], numbers: Sequence[Numbers], team: str) -> Any:
    """The share of wins of a team as a map of colours: `numbers` row by row."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("a map wants matplotlib: `pip install omerta[plots]`") from None
    shares = [next(one.share for one in came.counts if one.kind == "team" and one.name == team) for came in numbers]
    cells = [shares[start : start + len(columns)] for start in range(0, len(shares), len(columns))]
    figure = Figure(figsize=(2 + len(columns), 1.5 + 0.45 * len(rows)), layout="constrained")
    axes = figure.subplots()
    axes.imshow(cells, vmin=0, vmax=1, cmap="RdYlGn", aspect="auto")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    for row, line in enumerate(cells):
        for column, share in enumerate(line):
            axes.text(column, row, f"{share:.0%}", ha="center", va="center")
    axes.set_title(f"how often {team} wins")
    return figure
