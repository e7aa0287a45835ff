"""`omerta sim … --on ray`: the same words, played in parts on a cluster and put together here."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import omerta
from omerta import _core


def main(words: list[str]) -> int:
    """Plays the games on the cluster, shows them as `omerta sim show` does, and gives its exit code."""
    line = argparse.ArgumentParser(
        prog="omerta sim … --on ray",
        description="Plays the games in parts on a cluster. Of the words of `omerta sim` these can be given:",
    )
    line.add_argument("ruleset", nargs="?", default="city")
    line.add_argument("--on", required=True, choices=["ray"])
    line.add_argument("--players", type=int)
    line.add_argument("--cast")
    line.add_argument("--with", dest="overlays", type=_names, default=[], metavar="OVERLAY")
    line.add_argument("--set", dest="options", type=_names, default=[], metavar="OPTION=VALUE")
    line.add_argument("--policy", type=_names, default=[])
    line.add_argument("--games", type=_number, default=100_000)
    line.add_argument("--seed", type=int, default=1)
    line.add_argument("--parts", type=int, default=16, help="in how many parts the games are cut")
    line.add_argument("--folder", help="where the parts lie, seen by all machines; they are kept there")
    line.add_argument("--out", help="keep the run in a file")
    line.add_argument("--json", action="store_true")
    line.add_argument("--csv", action="store_true")
    given = line.parse_args(words)
    try:
        return _play(given)
    except (omerta.Error, ImportError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _number(text: str) -> int:
    number = int(float(text.replace("_", "").replace("k", "e3").replace("M", "e6")))
    if number < 1:
        raise argparse.ArgumentTypeError("write a whole number above 0, such as 100000, 1_000_000 or 2M")
    return number


def _play(given: argparse.Namespace) -> int:
    from omerta import ray

    options = dict(option.split("=", 1) for option in given.options)
    rules = omerta.load(given.ruleset, overlays=given.overlays, options=options)
    variant = ray.Variant(rules, given.players, given.cast, tuple(given.policy), given.ruleset)
    with tempfile.TemporaryDirectory() as own:
        [numbers] = ray.sweep(
            [variant],
            given.games,
            folder=given.folder or own,
            seed=given.seed,
            shards=given.parts,
            progress=lambda far: print(f"{far.done} of {far.of} parts, {far.games} games", file=sys.stderr),
        )
        kept = Path(given.out) if given.out else Path(own) / "run.json"
        kept.write_text(numbers.run, encoding="utf-8")
        shown = [word for word, wanted in (("--json", given.json), ("--csv", given.csv)) if wanted]
        return _core.main(["omerta", "sim", "show", str(kept), *shown])


def _names(text: str) -> list[str]:
    return text.split(",")
