"""Many games at once: one call answers in all of them.

>>> from omerta.vector import Vector
>>> games = Vector("city", 64, players=8, seed=1)
>>> games.known.shape[0], bool(games.masks.any(axis=1).all())
(64, True)
>>> games.step_at_random()
>>> int(games.dones.sum())
0
"""

from __future__ import annotations

from typing import Any

import omerta
from omerta._core import Arenas

try:
    import numpy as np
except ImportError as error:
    raise ImportError(f"{error}; many games at once want NumPy: `pip install numpy`") from error


class Vector:
    """Many games of the same rules at the same table, each with a seed of its own.

    After each step `seats` says who is asked in each game, `known` what that seat knows, `masks` which answers are
    legal, `rewards` what each seat got with the step and `dones` whether the game ended with it (1) or was cut off
    (2). A game that has ended begins anew at once. The arrays are written anew by each step: copy what is to be kept.
    """

    def __init__(
        self,
        rules: omerta.Rules | str,
        count: int,
        *,
        players: int | None = None,
        cast: str | None = None,
        seed: int = 0,
        offers: bool = False,
        limit: int = 20_000,
        threads: int = 1,
    ) -> None:
        """Begins the games, the first with `seed`, the next with the one after it; 0 `threads` are one for each core."""
        loaded = rules if isinstance(rules, omerta.Rules) else omerta.load(rules)
        self.rules = loaded
        self.games = Arenas(
            loaded, count, players=players, cast=cast, seed=seed, offers=offers, limit=limit, threads=threads
        )
        games = self.games
        self.known: np.ndarray[Any, np.dtype[np.int8]] = np.zeros((count, games.width), np.int8)
        self.masks: np.ndarray[Any, np.dtype[np.int8]] = np.zeros((count, games.actions), np.int8)
        self.seats: np.ndarray[Any, np.dtype[np.int32]] = np.zeros(count, np.int32)
        self.rewards: np.ndarray[Any, np.dtype[np.int8]] = np.zeros((count, games.seats), np.int8)
        self.dones: np.ndarray[Any, np.dtype[np.int8]] = np.zeros(count, np.int8)
        self._into = (self.known, self.masks, self.seats, self.rewards, self.dones)
        self._by_chance = np.full(count, -1, np.int64)
        games.tell(self._into)

    def step(self, actions: Any) -> None:
        """Answers in every game; a negative number answers by chance.

        Where one of the answers is not legal, `ValueError` names the game, and nothing is answered in any.
        """
        self.games.step(self._numbers(actions), self._into)

    def step_at_random(self) -> None:
        """Answers by chance in every game."""
        self.games.step(self._by_chance, self._into)

    def _numbers(self, actions: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
        given = np.asarray(actions)
        count = len(self.seats)
        if given.shape != (count,):
            raise ValueError(f"answers of the shape {given.shape} for {count} games: one number each is wanted, ({count},)")
        if given.dtype.kind not in "iu":
            raise TypeError(
                f"answers are whole numbers, and these are {given.dtype}; actions.astype(int) makes them so"
            )
        if given.dtype.kind == "u" and given.max(initial=0) > np.iinfo(np.int64).max:
            raise ValueError(f"there is no answer {given.max()}: they go up to {self.masks.shape[1] - 1}")
        return np.ascontiguousarray(given, np.int64)
