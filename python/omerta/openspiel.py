"""A game of OpenSpiel for any rules, with explicit chance and information states.

The state holds a game of Omerta; what a player knows is what its seat was told, in words. What the host decides is
chance, each answer as likely as any other.

>>> from omerta.openspiel import load
>>> game = load("city", players=3)
>>> state = game.new_initial_state()
>>> state.is_chance_node(), round(sum(share for _, share in state.chance_outcomes()), 6)
(True, 1.0)
"""

from __future__ import annotations

from typing import Any

import omerta

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError(f"{error}; these games want OpenSpiel: `pip install omerta[openspiel]`") from error

#: Rules that were handed over as objects, by their identity.
_KNOWN: dict[str, omerta.Rules] = {}

_DEFAULTS: dict[str, Any] = {"rules": "city", "players": 0, "cast": "", "overlays": "", "limit": 2000, "offers": False}

_TYPE = pyspiel.GameType(
    short_name="python_omerta",
    long_name="Omerta: a hidden-role game by its rules",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=64,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


def load(
    rules: omerta.Rules | str = "city",
    *,
    players: int = 0,
    cast: str = "",
    overlays: str = "",
    limit: int = 2000,
    offers: bool = False,
) -> Any:
    """The game of these rules; `players` 0 is as many as is usual, `overlays` are joined by `+`.

    A game with more than `limit` answers, what chance draws included, is cut off, and nobody gets anything.
    """
    if isinstance(rules, omerta.Rules):
        _KNOWN[rules.identity] = rules
        rules = rules.identity
    parameters = {
        "rules": rules,
        "players": players,
        "cast": cast,
        "overlays": overlays,
        "limit": limit,
        "offers": offers,
    }
    return pyspiel.load_game("python_omerta", parameters)


class OmertaGame(pyspiel.Game):  # type: ignore[misc]
    """Rules at a table."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        overlays = [name for name in given["overlays"].split("+") if name]
        known = _KNOWN.get(given["rules"])
        self.rules = known if known is not None else omerta.load(given["rules"], overlays=overlays)
        self.limit = given["limit"]
        self.start = self.rules.arena(
            players=given["players"] or None,
            cast=given["cast"] or None,
            chance_by_hand=True,
            offers=given["offers"],
        )
        self.action_words = self.start.action_words
        actions = self.start.actions
        info = pyspiel.GameInfo(
            num_distinct_actions=actions,
            max_chance_outcomes=actions,
            num_players=len(self.start.names),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=self.limit,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> OmertaState:
        """A game at its beginning."""
        return OmertaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """What looks at a state through the eyes of a player."""
        return Observer(self.start.width, iig_obs_type)


class OmertaState(pyspiel.State):  # type: ignore[misc]
    """A game under way."""

    def __init__(self, game: OmertaGame) -> None:
        super().__init__(game)
        self.arena = game.start.clone()
        self._words, self._limit = game.action_words, game.limit
        self._turn = self.arena.turn

    def current_player(self) -> int:
        """Who answers next."""
        if self._turn >= 0 and self.arena.answered < self._limit:
            return self._turn
        if self._turn == -2 and self.arena.answered < self._limit:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return self.arena.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may come out, with shares."""
        return self.arena.chances()

    def _apply_action(self, action: int) -> None:
        self._turn = self.arena.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._words[action]

    def is_terminal(self) -> bool:
        """Whether it is over, or was cut off."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """1 for whoever has won, -1 for all others; nothing before the end."""
        outcome = self.arena.outcome
        count = self.num_players()
        if outcome is None:
            return [0.0] * count
        return [1.0 if seat in outcome.winners else -1.0 for seat in range(count)]

    def __str__(self) -> str:
        return "\n".join(event.words for event in self.arena.game().log)


class Observer:
    """Looks at states through the eyes of players: as a row of numbers, or in words with perfect recall."""

    def __init__(self, width: int, kind: Any) -> None:
        self.perfect_recall = kind is not None and kind.perfect_recall
        self.tensor = np.zeros(0 if self.perfect_recall else width, np.float32)
        self.dict = {} if self.perfect_recall else {"known": self.tensor}

    def set_from(self, state: OmertaState, player: int) -> None:
        """Writes what a player knows into `tensor`."""
        if not self.perfect_recall:
            self.tensor[:] = np.frombuffer(state.arena.known(player), np.int8)

    def string_from(self, state: OmertaState, player: int) -> str:
        """What a player was told."""
        return state.arena.told(player)


pyspiel.register_game(_TYPE, OmertaGame)
