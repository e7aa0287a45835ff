"""Environments for learning: what the suites of others demand, and that nothing leaks."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import omerta

from conftest import games

numpy = pytest.importorskip("numpy")


def offers(name: str) -> bool:
    """Whether what players do there are standing offers alone."""
    return omerta.load(name).arena().turn < 0


def played(arena: omerta.Arena, coin: random.Random, most: int = 400) -> None:
    for _ in range(most):
        if arena.turn < 0:
            return
        arena.step(coin.choice(arena.legal()))


@pytest.mark.parametrize("name", games())
def test_masks_show_just_what_is_legal(name: str) -> None:
    arena, coin = omerta.load(name).arena(seed=1, offers=offers(name)), random.Random(name)
    for _ in range(120):
        if arena.turn < 0:
            arena.begin_again(arena.seed + 1)
            continue
        mask, legal = arena.mask(), arena.legal()
        assert [number for number, there in enumerate(mask) if there] == legal and legal
        wrong = next((number for number in range(arena.actions) if not mask[number]), None)
        before = arena.clone()
        if wrong is not None:
            with pytest.raises(omerta.IllegalAnswer):
                arena.step(wrong)
            assert arena == before
        arena.step(coin.choice(legal))
        assert arena != before


@pytest.mark.parametrize("name", games())
def test_a_seat_knows_the_same_in_two_games_that_it_cannot_tell_apart(name: str) -> None:
    """Games of many seeds are sorted by what a seat was told in words: where that is the same, its row is."""
    rules = omerta.load(name)
    arena = rules.arena(offers=offers(name))
    rows: dict[tuple[int, str], bytes] = {}
    met = 0
    for seed in range(40):
        arena.begin_again(seed)
        for _ in range(6):
            for seat in range(len(arena.names)):
                told = arena.told(seat)
                known = bytes(arena.known(seat))
                met += (seat, told) in rows
                assert rows.setdefault((seat, told), known) == known
            if arena.turn < 0:
                break
            arena.step(arena.legal()[0])
    assert met > 20, "hardly any two games were alike to a seat"


def test_arenas_are_copied_and_pickled_and_open_as_games() -> None:
    arena = omerta.load("city").arena(players=8, seed=3)
    coin = random.Random(1)
    played(arena, coin, 5)
    for again in (copy.deepcopy(arena), pickle.loads(pickle.dumps(arena))):
        assert again == arena and again.known(2) == arena.known(2)
        again.step(again.legal()[0])
        assert again != arena
    game = arena.game()
    assert arena.rules.restore(game.save()) == game
    with pytest.raises(ValueError):
        arena.known(8)
    assert arena.features[0].name == "me" and arena.features[-1].end == arena.width
    assert len(arena.action_words) == arena.actions


@pytest.mark.parametrize("name", games())
def test_pettingzoo_has_nothing_against_them(name: str) -> None:
    pytest.importorskip("pettingzoo")
    from omerta.pettingzoo import env, parallel_env
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

    alone = offers(name)
    api_test(env(name, offers=alone), num_cycles=100)
    seed_test(lambda: env(name, offers=alone), num_cycles=1)
    parallel_api_test(parallel_env(name, offers=alone), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(name, offers=alone), num_cycles=10)
    if alone:
        with pytest.raises(omerta.TableError, match="offers=True"):
            env(name)


def test_winners_are_rewarded_at_the_end_and_the_dead_with_them() -> None:
    pytest.importorskip("pettingzoo")
    from omerta.pettingzoo import raw_env

    coin = random.Random(3)
    table = raw_env("city", players=8, text=True, render_mode="ansi")
    table.reset(seed=5)
    got: dict[str, float] = dict.fromkeys(table.possible_agents, 0)
    for agent in table.agent_iter():
        observation, reward, ended, cut, info = table.last()
        got[agent] += reward
        if ended or cut:
            table.step(None)
            continue
        legal = [number for number, there in enumerate(observation["action_mask"]) if there]
        assert sorted(info["answers"]) == legal and info["question"] and info["seat"]
        table.step(coin.choice(legal))
    outcome = table.arena.outcome
    assert outcome is not None
    assert got == {f"player_{seat}": 1 if seat in outcome.winners else -1 for seat in range(8)}
    assert table.arena.game().outcome == outcome and "\n" in (table.render() or "")


def test_an_answer_that_no_mask_shows_costs_the_game() -> None:
    pytest.importorskip("pettingzoo")
    from omerta.pettingzoo import env, raw_env

    table = env("city", players=8)
    with pytest.raises(AttributeError, match="before the first reset"):
        table.last()
    table.reset(seed=5)
    wrong = table.agent_selection
    illegal = int(table.observe(wrong)["action_mask"].argmin())
    for outside in (None, -1, table.action_space(wrong).n, 1 << 40):
        with pytest.raises(omerta.IllegalAnswer):
            table.step(outside)
    table.step(illegal)
    assert all(table.terminations.values()) and all(table.truncations.values())
    assert table.rewards == {agent: -1 if agent == wrong else 0 for agent in table.possible_agents}
    assert table.infos[wrong]["illegal"]
    for agent in table.agent_iter():
        _, reward, ended, cut, _ = table.last()
        assert (reward, ended, cut) == (-1 if agent == wrong else 0, True, True)
        table.step(None)
    assert table.agents == []
    bare = raw_env("city", players=8)
    bare.reset(seed=5)
    with pytest.raises(omerta.IllegalAnswer, match="legal: "):
        bare.step(illegal)
    with pytest.raises(AttributeError, match="no `colour`"):
        bare.colour


def test_a_game_that_is_cut_off_is_truncated() -> None:
    pytest.importorskip("pettingzoo")
    from omerta.pettingzoo import parallel_env, raw_env

    table = raw_env("city", players=8, limit=3)
    table.reset(seed=1)
    while not table.truncations[table.agent_selection]:
        table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    assert not any(table.terminations.values()) and set(table.rewards.values()) == {0}
    both = parallel_env("city", players=8, limit=1)
    both.reset(seed=1)
    *_, truncations, _ = both.step({agent: 0 for agent in both.agents})
    assert all(truncations.values()) and both.agents == []
    for wrong in ({"limit": 0}, {"render_mode": "video"}):
        with pytest.raises(ValueError):
            raw_env("city", **wrong)  # type: ignore[arg-type]


def test_many_games_at_once_are_the_games_one_by_one() -> None:
    from omerta.vector import Vector

    many, coin = Vector("city", 8, players=8, seed=10, threads=2), random.Random(4)
    alone = [many.rules.arena(players=8, seed=10 + number) for number in range(8)]
    ended = [0] * 8
    for _ in range(300):
        actions = []
        for number, arena in enumerate(alone):
            assert arena.turn == many.seats[number]
            assert bytes(arena.mask()) == many.masks[number].tobytes()
            assert bytes(arena.known(arena.turn)) == many.known[number].tobytes()
            actions.append(coin.choice(arena.legal()))
        many.step(actions)
        for number, arena in enumerate(alone):
            arena.step(actions[number])
            assert many.dones[number] == (arena.turn < 0)
            if arena.turn < 0:
                assert arena.outcome is not None
                won = [seat for seat, reward in enumerate(many.rewards[number]) if reward == 1]
                assert won == arena.outcome.winners
                ended[number] += 1
                arena.begin_again(arena.seed + 8)
    assert all(ended)


def test_a_wrong_answer_among_many_is_named() -> None:
    from omerta.vector import Vector

    many = Vector("city", 4, players=8)
    for wrong in ([0] * 3, [[0]] * 5, numpy.zeros(4, numpy.int32)):
        with pytest.raises(ValueError):
            many.step(wrong)
    with pytest.raises(ValueError):
        Vector("city", 0)
    before = [array.copy() for array in many._into]
    with pytest.raises(ValueError, match="array of"):
        many.games.step(many._by_chance, (many.known[:2], *many._into[1:]))
    fixed = many.dones.copy()
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="may be written to"):
        many.games.step(many._by_chance, (*many._into[:4], fixed))
    many.games.tell(many._into)
    assert all((array == was).all() for array, was in zip(many._into, before)), "nothing was answered in any"
    many.step_at_random()


TINY = """ruleset tiny "Two cards and a claim"
use std.table
players 2
cast { players 2
  Wolf 1
  Sheep 1 }
team Pack "the pack"
team Flock "the flock"
role Wolf "a wolf" of Pack
role Sheep "a sheep" of Flock
mark caught
script {
  play Deal
  ask seat 1 whether claims "Do you claim to be the sheep?"
  if claims { say "The first claims to be the sheep." }
  else { say "The first claims nothing." }
  ask seat 2 whether doubts "Do you doubt it?"
  if doubts { mark holder of Wolf as caught }
  judge
}
ending caught: win Flock when some caught "it is found"
ending free: win Pack when some players "it goes free"
"""


@pytest.mark.slow
def test_cfr_comes_to_a_small_exploitability_on_a_tiny_game() -> None:
    pytest.importorskip("pyspiel")
    from omerta.openspiel import load
    from open_spiel.python.algorithms import cfr, exploitability

    game = load(omerta.load(text=TINY), players=2)
    solver = cfr.CFRSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(150):
        solver.evaluate_and_update_policy()
    after = exploitability.nash_conv(game, solver.average_policy())
    assert before > 0.2 and after < 0.02, (before, after)


def test_openspiel_plays_them_at_random() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from omerta.openspiel import load

    for game in (load("city", players=5), load(omerta.load("village"), players=5), load("town", players=6)):
        pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state = load("city", players=5).new_initial_state()
    assert state.is_chance_node()
    again = state.clone()
    again.apply_action(again.legal_actions()[0])
    assert str(again) != str(state)
