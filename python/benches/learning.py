"""How fast environments step, beside the classic card environments of PettingZoo, turn by turn in one run.

    pip install "omerta[pettingzoo]" "pettingzoo[classic]"
    python benches/learning.py [ROUNDS]

Everybody answers at random. A step is one answer of one player, in both: what `agent_iter` goes through for those
who are finished is not counted. The time is the processor's, of this process and of all its threads; the figures are
medians of the rounds. Where the answers are chosen in Python, that is in the time.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from pettingzoo.classic import hanabi_v5, leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

import omerta
from omerta.pettingzoo import env, raw_env
from omerta.vector import Vector

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
SECONDS = 0.6
GAMES = 256

CLASSIC = (leduc_holdem_v4, texas_holdem_v4, texas_holdem_no_limit_v6, hanabi_v5)

coin = np.random.default_rng(1)


def one_by_one(table: object) -> Callable[[], int]:
    """A game of an environment: how many answers there were."""
    seeds = iter(range(1 << 40))

    def play() -> int:
        table.reset(seed=next(seeds))  # type: ignore[attr-defined]
        answers = 0
        for _ in table.agent_iter():  # type: ignore[attr-defined]
            observation, _, ended, cut, _ = table.last()  # type: ignore[attr-defined]
            if ended or cut:
                table.step(None)  # type: ignore[attr-defined]
                continue
            legal = observation["action_mask"].nonzero()[0]
            table.step(int(legal[int(coin.random() * len(legal))]))  # type: ignore[attr-defined]
            answers += 1
        return answers

    return play


def many(rules: str, offers: bool = False) -> Callable[[], int]:
    """A step of many games, in which the environment draws."""
    games = Vector(rules, GAMES, players=8, offers=offers)

    def play() -> int:
        games.step_at_random()
        return GAMES

    return play


def chosen(rules: str, offers: bool = False) -> Callable[[], int]:
    """A step of many games, in which NumPy draws from the masks."""
    games = Vector(rules, GAMES, players=8, offers=offers)

    def play() -> int:
        legal = games.masks.cumsum(axis=1, dtype=np.int16)
        wanted = (coin.random(GAMES) * legal[:, -1]).astype(np.int16)
        games.step((legal > wanted[:, None]).argmax(axis=1))
        return GAMES

    return play


WAYS: dict[str, Callable[[], int]] = {
    **{game.__name__.rpartition(".")[2]: one_by_one(game.env()) for game in CLASSIC},
    "city, env": one_by_one(env("city", players=8, offers=True)),
    "city, raw_env": one_by_one(raw_env("city", players=8, offers=True)),
    "city, many at once": many("city", offers=True),
    "town, many at once": many("town"),
    "vendetta, many at once": many("vendetta"),
    "city without offers, many at once": many("city"),
    "city, many at once, NumPy draws": chosen("city", offers=True),
    "town, many at once, NumPy draws": chosen("town"),
}


def speed(play: Callable[[], int]) -> float:
    begun = time.process_time()
    answers = 0
    while (took := time.process_time() - begun) < SECONDS:
        answers += play()
    return answers / took


def main() -> None:
    print(f"omerta {omerta.__version__}, Python {sys.version.split()[0]}, {ROUNDS} rounds, {GAMES} games at once")
    figures: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name, play in WAYS.items():
            figures[name].append(speed(play))
    middle = {name: statistics.median(all) for name, all in figures.items()}
    classic = [middle[name] for name in list(WAYS)[: len(CLASSIC)]]
    print(f"{'':34}{'steps/s':>12}{'x slowest':>12}{'x fastest':>12}")
    for name, figure in middle.items():
        print(f"{name:34}{figure:12,.0f}{figure / min(classic):12.1f}{figure / max(classic):12.1f}")


if __name__ == "__main__":
    main()
