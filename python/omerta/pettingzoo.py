"""Environments of PettingZoo for any rules: one seat at a time (`env`), or all at once (`parallel_env`).

What an agent observes is what its seat was told, as a row of small numbers, and which answers are legal. Agents are
called `player_0`, `player_1` and so on, by their seats; the dead stay until the game is over, for they may win.

>>> from omerta.pettingzoo import env
>>> game = env("city", players=8)
>>> game.reset(seed=7)
>>> observation, reward, termination, truncation, info = game.last()
>>> bool(observation["action_mask"].any())
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any

import omerta
from omerta._core import Arena

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError(f"{error}; environments want PettingZoo: `pip install omerta[pettingzoo]`") from error

#: The version of what is observed and answered: it changes when a trained agent could not go on.
VERSION = 0

Observation = dict[str, Any]

#: What an environment has from its first game on.
_BEGUN = frozenset(
    ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards", "_turn"]
)


class _Table:
    """What both kinds of environments have in common."""

    def __init__(
        self,
        rules: omerta.Rules | str = "city",
        *,
        players: int | None = None,
        cast: str | None = None,
        overlays: Iterable[str] = (),
        options: Mapping[str, omerta.Option] | None = None,
        offers: bool = False,
        limit: int = 20_000,
        losers: int = -1,
        text: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Lays the table.

        `offers` lets agents take up standing offers when they are asked something. A game with more than `limit`
        answers is cut off. Winners are rewarded with 1 at the end, all others with `losers`, -1 or 0. With `text` the
        `infos` have the words, too: `told` (since the agent's last turn), `question`, `answers` (by their numbers),
        `game` (as `omerta play` loads it).
        """
        if limit < 1:
            raise ValueError("a game has at least one answer: `limit` is too small")
        if render_mode not in (None, "ansi", "human", "svg"):
            raise ValueError(f"render_mode is ansi, human, svg or None, and not {render_mode!r}")
        loaded = rules if isinstance(rules, omerta.Rules) else omerta.load(rules, overlays=overlays, options=options)
        self.rules = loaded
        self.arena: Arena = loaded.arena(players=players, cast=cast, offers=offers)
        if self.arena.turn < 0:
            raise omerta.TableError(
                "nobody is ever asked at this table: what players do there are standing offers; say offers=True"
            )
        self.limit, self.losers, self.text = limit, losers, text
        self.render_mode = render_mode
        count = len(self.arena.names)
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, width = self.arena.actions, self.arena.width
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(-128, 127, (width,), np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(parts) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.metadata = {
            "name": f"omerta/{loaded.name}_v{VERSION}",
            "render_modes": ["ansi", "human", "svg"],
            "is_parallelizable": False,
        }
        self._asleep = np.zeros(actions, np.int8)
        self._waits = np.zeros(actions, np.int8)
        self._waits[0] = 1
        self._seed = 0
        self._heard = dict.fromkeys(self.possible_agents, 0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may answer."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None) -> None:
        self._seed = self._seed + 1 if seed is None else int(seed)
        self.arena.begin_again(self._seed)
        self.agents = self.possible_agents[:]
        self._heard = dict.fromkeys(self.agents, 0)

    def _is_over(self, turn: int) -> bool:
        return turn < 0 or self.arena.answered >= self.limit

    def _rewards(self) -> dict[str, float]:
        outcome = self.arena.outcome
        if outcome is None:
            return dict.fromkeys(self.agents, 0)
        return {agent: 1 if self.seats[agent] in outcome.winners else self.losers for agent in self.agents}

    def _tell(self, agent: str, turn: int) -> dict[str, Any]:
        """The words that a seat was told since it was asked last, and its question."""
        game, seat = self.arena.game(), self.seats[agent]
        told = [event.words for event in game.view(seat)]
        asked = game.asked if seat == turn else None
        words = self.arena.action_words if asked else []
        info = {
            "told": told[self._heard[agent] :],
            "question": asked.words if asked else None,
            "answers": {number: words[number] for number in self.arena.legal()} if asked else {},
            "game": game.save(),
            "seed": self._seed,
        }
        self._heard[agent] = len(told)
        return info

    def render(self) -> str | None:
        """The game: what everybody knows (`ansi`, `human`), or the table as the host sees it (`svg`)."""
        if self.render_mode is None:
            return None
        game = self.arena.game()
        if self.render_mode == "svg":
            return game._repr_svg_()
        told = "\n".join(event.words for event in game.view())
        if self.render_mode == "human":
            print(told)
            return None
        return told

    def close(self) -> None:
        """There is nothing to close."""


class raw_env(_Table, AECEnv):  # type: ignore[misc]
    """One seat at a time, bare: an answer that is not legal raises `omerta.IllegalAnswer`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; without a seed the one that follows on the last. Options are not looked at."""
        self._begin(seed)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"seat": self.arena.names[self.seats[agent]]} for agent in self.agents
        }
        self._skip_agent_selection = None
        self._select(self.arena.turn)

    def __getattr__(self, name: str) -> Any:
        """Whatever is not there yet comes with the first game."""
        if name in _BEGUN:
            raise AttributeError(f"there is no `{name}` before the first reset()")
        raise AttributeError(f"an environment has no `{name}`")

    def observe(self, agent: str) -> Observation:
        """What an agent knows now; the legal answers of whoever is not asked are all 0."""
        seat = self.seats[agent]
        mask = np.frombuffer(self.arena.mask(), np.int8) if seat == self._turn else self._asleep.copy()
        return {"observation": np.frombuffer(self.arena.known(seat), np.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Answers for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise omerta.IllegalAnswer(f"{agent} is asked and has to answer", [])
        turn = self.arena.step(index(action))
        self._cumulative_rewards[agent] = 0
        self._select(turn)

    def _select(self, turn: int) -> None:
        if self._is_over(turn):
            turn = self._finish()
        self._turn = turn
        self.agent_selection = self.agents[max(turn, 0)]
        if self.text:
            self.infos[self.agent_selection].update(self._tell(self.agent_selection, turn))

    def _finish(self) -> int:
        cut = self.arena.outcome is None
        self.rewards = self._rewards()
        for agent in self.agents:
            self._cumulative_rewards[agent] += self.rewards[agent]
            self.terminations[agent], self.truncations[agent] = not cut, cut
        return -1


class env(raw_env):
    """One seat at a time. An answer that is not legal ends the game for all, and costs whoever gave it 1: so it is
    under the wrappers that PettingZoo has for it, of which each takes longer than the game."""

    def step(self, action: int | None) -> None:
        """Answers for the agent whose turn it is."""
        try:
            super().step(action)
        except omerta.IllegalAnswer:
            # No mask would have shown what lies outside of the space.
            if action is None or not 0 <= index(action) < self.arena.actions:
                raise
            self._forfeit()

    def _forfeit(self) -> None:
        wrong = self.agent_selection
        self.infos[wrong]["illegal"] = True
        self._cumulative_rewards[wrong] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self.rewards[wrong] = -1
        for agent in self.agents:
            self._cumulative_rewards[agent] += self.rewards[agent]
            self.terminations[agent] = self.truncations[agent] = True
        self._turn, self.agent_selection = -1, self.agents[0]


class parallel_env(_Table, ParallelEnv):  # type: ignore[misc]
    """All seats at once: whoever is not asked answers 0, the only answer that its mask shows.

    What is no legal answer counts as the first that is, and `infos` says so: tests of PettingZoo draw without looking
    at masks.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a new game; without a seed the one that follows on the last. Options are not looked at."""
        self._begin(seed)
        self._turn = self.arena.turn
        return self._observations(), self._infos(None)

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Gives the answer of whoever is asked."""
        agents = self.agents
        illegal = None
        if not self._is_over(self._turn):
            agent = agents[self._turn]
            try:
                self._turn = self.arena.step(index(actions.get(agent, 0)))
            except omerta.IllegalAnswer:
                illegal = agent
                self._turn = self.arena.step(self.arena.legal()[0])
        over = self._is_over(self._turn)
        cut = over and self.arena.outcome is None
        rewards = self._rewards() if over else dict.fromkeys(agents, 0)
        terminations = dict.fromkeys(agents, over and not cut)
        truncations = dict.fromkeys(agents, cut)
        told = self._observations(), rewards, terminations, truncations, self._infos(illegal)
        if over:
            self.agents = []
        return told

    def observe(self, agent: str) -> Observation:
        """What an agent knows now, and what it may answer."""
        seat = self.seats[agent]
        asked = seat == self._turn and not self._is_over(self._turn)
        mask = np.frombuffer(self.arena.mask(), np.int8) if asked else self._waits.copy()
        return {"observation": np.frombuffer(self.arena.known(seat), np.int8), "action_mask": mask}

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}

    def _infos(self, illegal: str | None) -> dict[str, dict[str, Any]]:
        names = self.arena.names
        infos: dict[str, dict[str, Any]] = {agent: {"seat": names[self.seats[agent]]} for agent in self.agents}
        if illegal in infos:
            infos[illegal]["illegal"] = True
        if self.text:
            for agent, info in infos.items():
                info.update(self._tell(agent, self._turn))
        return infos
