"""How games and numbers look in a notebook: the table as a drawing, numbers as a table, bars or a frame."""

from __future__ import annotations

import html
import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from omerta._core import Game, Numbers

WIDTH, HEIGHT = 520, 380
#: What makes frames, the one that is taken first before the other.
LIBRARIES = ("pandas", "polars")


def table(game: Game) -> str:
    """The table from above, as the host sees it: who sits where with which role, who is asked, who has won."""
    asked, outcome = game.asked, game.outcome
    names = game.names
    answering = set(asked.seats) if asked else set()
    winners = set(outcome.winners) if outcome else set()
    head = game.rules.title
    if asked:
        line = asked.words
    elif outcome:
        line = outcome.ending or "the game is over"
    else:
        line = game.fault or ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="sans-serif" font-size="13" role="img">',
        f"<title>{html.escape(head)}: {html.escape(line)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fdfcf8"/>',
        f'<ellipse cx="{WIDTH / 2}" cy="{HEIGHT / 2}" rx="120" ry="75" fill="#e7e2d3" stroke="#8a8266"/>',
        _text(WIDTH / 2, HEIGHT / 2 - 8, head, bold=True),
        _text(WIDTH / 2, HEIGHT / 2 + 14, _short(line, 34)),
    ]
    for seat, name in enumerate(names):
        angle = 2 * math.pi * seat / len(names) - math.pi / 2
        x, y = WIDTH / 2 + 195 * math.cos(angle), HEIGHT / 2 + 140 * math.sin(angle)
        fill = "#ffe08a" if seat in answering else "#bfe3c0" if seat in winners else "#ffffff"
        roles = ", ".join(role.title for role in game.roles_of(seat))
        parts.append(f'<rect x="{x - 55:.1f}" y="{y - 20:.1f}" width="110" height="40" rx="8" fill="{fill}" stroke="#8a8266"/>')
        parts.append(_text(x, y - 3, _short(name, 14), bold=True))
        parts.append(_text(x, y + 13, _short(roles, 17)))
    parts.append("</svg>")
    return "".join(parts)


def _text(x: float, y: float, words: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle"{weight}>{html.escape(words)}</text>'


def _short(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def numbers(counted: Numbers) -> str:
    """What was counted as a table of HTML."""
    rows = [
        f"<tr><td>{html.escape(one.kind)}</td><td>{html.escape(one.name)}</td><td>{one.held}</td><td>{one.won}</td>"
        f"<td>{one.share:.1%}</td><td>{one.low:.1%} to {one.high:.1%}</td></tr>"
        for one in counted.counts
    ]
    head = "<tr><th>kind</th><th>name</th><th>held</th><th>won</th><th>share</th><th>95 of 100 lie in</th></tr>"
    return f"<table><caption>{counted.games} games</caption>{head}{''.join(rows)}</table>"


def frame(counted: Numbers, library: str | None) -> Any:
    """What was counted as a frame of a library, or of whichever is installed."""
    if library not in (None, *LIBRARIES):
        raise ValueError(f"frames are made by {' or '.join(LIBRARIES)}, and not by {library!r}")
    columns = ["kind", "name", "held", "won", "share", "low", "high"]
    data = {column: [getattr(one, column) for one in counted.counts] for column in columns}
    for name in [library] if library else LIBRARIES:
        try:
            return import_module(name).DataFrame(data)
        except ImportError:
            continue
    wanted = library or "pandas or polars"
    raise ImportError(f"a frame wants {wanted}: `pip install {library or LIBRARIES[0]}`")


def plot(counted: Numbers, kind: str) -> Any:
    """Shares as bars with their margins."""
    kinds = sorted({one.kind for one in counted.counts})
    if kind not in kinds:
        raise ValueError(f"nothing of the kind `{kind}` was counted; there are {', '.join(kinds)}")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plots want matplotlib: `pip install omerta[plots]`") from None
    rows = [one for one in counted.counts if one.kind == kind]
    figure = Figure(figsize=(6, 0.5 + 0.4 * len(rows)), layout="constrained")
    axes = figure.subplots()
    margins = [[max(one.share - one.low, 0) for one in rows], [max(one.high - one.share, 0) for one in rows]]
    axes.barh([one.name for one in rows], [one.share for one in rows], xerr=margins, color="#8a8266")
    axes.invert_yaxis()
    axes.set_xlabel(f"share of {counted.games} games")
    return figure
