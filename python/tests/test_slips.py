"""What goes wrong in the hands of users: each an exception that says what mends it, and never the end of Python."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import omerta

from conftest import omerta_command

HOOKED = """ruleset hooked "A script that fails"
use std.table
players 2
cast { players 2
  Left 1
  Right 1 }
team Both "both"
role Left "the left" of Both
role Right "the right" of Both
hook odd of number n gives number "it fails on purpose" \"\"\"
  if n == 2 { throw "two is too many" }
  n
\"\"\"
script {
  play Deal
  ask seat 1 for n from 1..3 "How many?"
  if odd of n is 1 { say "That is odd." }
  judge
}
ending over: win Both when some players "it is over"
"""


@pytest.fixture
def city() -> omerta.Rules:
    return omerta.load("city")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda rules: rules.begin(players=300), "at most 64 seats"),
        (lambda rules: rules.begin(players=-1), "at most 64 seats"),
        (lambda rules: rules.begin(players=2), "players"),
        (lambda rules: rules.begin(players=8, seed=-1), "a seed goes from 0"),
        (lambda rules: rules.begin(players=8, seed=1 << 64), "a seed goes from 0"),
        (lambda rules: rules.arena(players=8).known(8), "from 0 to 7"),
        (lambda rules: rules.arena(players=8).told(9), "from 0 to 7"),
        (lambda rules: rules.arena(players=8).begin_again(-3), "a seed goes from 0"),
        (lambda rules: rules.begin(players=8).roles_of(8), "from 0 to 7"),
        (lambda rules: omerta.simulate(rules, -5, players=8), "a whole number from 0 on"),
        (lambda rules: omerta.simulate(rules, 5, players=8, threads=-1), "a whole number from 0 on"),
        (lambda rules: omerta.simulate(rules, 5, players=8, shard=(3, 2)), "there is no part 3 of 2"),
        (lambda rules: omerta.simulate(rules, 5, players=8, shard=(0, 0)), "counted from 1"),
        (lambda rules: omerta.simulate(rules, 5, players=8, policies=["no-such"]), "no-such"),
        (lambda rules: omerta.merge([]), "nothing to put together"),
        (lambda rules: omerta.merge(["{}"]), "run"),
    ],
)
def test_numbers_out_of_their_range_say_what_it_is(
    city: omerta.Rules, wrong: Callable[[omerta.Rules], object], words: str
) -> None:
    with pytest.raises((ValueError, omerta.Error), match=words):
        wrong(city)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda rules: rules.begin(players="8"),
        lambda rules: rules.begin(players=8.0),
        lambda rules: rules.begin(names=[1, 2, 3]),
        lambda rules: rules.begin(names="Ann"),
        lambda rules: rules.begin(players=8, seed="7"),
        lambda rules: rules.begin(8),
        lambda rules: rules.arena(players=8).step("pass"),
        lambda rules: rules.arena(players=8).step(None),
        lambda rules: rules.restore(b"{}"),
        lambda rules: omerta.simulate("city", 100),
        lambda rules: omerta.simulate(rules, "100"),
        lambda rules: omerta.load(3),
        lambda rules: omerta.load("city", options=["tied-vote"]),
    ],
)
def test_wrong_types_are_type_errors(city: omerta.Rules, wrong: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError):
        wrong(city)


def test_an_arena_that_is_over_says_how_the_next_begins(city: omerta.Rules) -> None:
    arena = city.arena(players=8, seed=1)
    while arena.step_at_random() is not None:
        pass
    with pytest.raises(omerta.IllegalAnswer, match=r"begin_again"):
        arena.step(1)
    assert arena.legal() == [] and not any(arena.mask())
    arena.begin_again(2)
    for wrong in (-1, 0, 10**6, 1 << 40):
        with pytest.raises(omerta.IllegalAnswer, match=f"{wrong} is no legal answer; legal: "):
            arena.step(wrong)


def test_a_kept_game_of_another_version_is_refused_with_both_sides_named(city: omerta.Rules) -> None:
    kept = json.loads(city.begin(players=8, seed=3).save())
    with pytest.raises(omerta.SaveError, match="another omerta"):
        city.restore(json.dumps({**kept, "omerta_save": 99}))
    with pytest.raises(omerta.SaveError, match="changed since it was kept"):
        city.restore(json.dumps({**kept, "seed": 4}))
    with pytest.raises(omerta.SaveError, match="rules"):
        city.restore(json.dumps({key: value for key, value in kept.items() if key != "digest"} | {"identity": "0" * 16}))
    with pytest.raises(omerta.SaveError):
        omerta.load("city", overlays=["mayor"]).restore(json.dumps(kept))


def test_a_script_that_fails_ends_the_game_and_not_python() -> None:
    rules = omerta.load(text=HOOKED)
    game = rules.begin(players=2, seed=1)
    game.apply("2")
    assert game.over and game.outcome is None
    assert game.fault is not None and "two is too many" in game.fault
    with pytest.raises(omerta.IllegalAnswer):
        game.apply("1")
    assert game.undo() and game.asked is not None
    game.apply("1")
    assert game.winners == [0, 1]
    numbers = omerta.simulate(rules, 300, players=2)
    assert 0 < numbers.wrong < 300
    arena = rules.arena(players=2)
    word = arena.action_words.index("2")
    assert arena.step(word) == -1 and arena.outcome is None


def test_threads_that_give_wrong_answers_to_one_arena_wait_for_nobody_for_ever(city: omerta.Rules) -> None:
    """An exception is made by Python, which may go over to another thread there."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    arena, game = city.arena(players=8, seed=1), city.begin(players=8, seed=1)

    def play() -> None:
        for _ in range(300):
            with pytest.raises(omerta.IllegalAnswer):
                arena.step(10**6)
            with pytest.raises(omerta.IllegalAnswer):
                game.apply("nobody of this name")

    threads = [threading.Thread(target=play, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    sys.setswitchinterval(before)
    assert not any(thread.is_alive() for thread in threads)


def test_two_threads_that_answer_in_the_same_games_are_told_to_have_their_own() -> None:
    numpy = pytest.importorskip("numpy")
    from omerta.vector import Vector

    many = Vector("city", 20_000, players=8, seed=1)
    refused: list[str] = []

    def play() -> None:
        into = tuple(numpy.zeros_like(array) for array in many._into)
        for _ in range(15):
            try:
                many.games.step(many._by_chance, into)
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused and all("a Vector for each thread" in words for words in refused)
    many.step_at_random()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_child_goes_on_with_its_own_games(city: omerta.Rules) -> None:
    numpy = pytest.importorskip("numpy")
    from omerta.vector import Vector

    game, arena = city.begin(players=8, seed=2), city.arena(players=8, seed=2)
    many = Vector(city, 64, players=8, seed=3, threads=2)
    many.step_at_random()
    omerta.simulate(city, 300, players=8, threads=2)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            game.play_on(3)
            arena.step(arena.legal()[0])
            many.step_at_random()
            told = [game.save(), arena.given, omerta.simulate(city, 300, players=8, threads=2).run]
            os.write(writing, json.dumps([told, many.known.tolist()]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told, known = json.loads(pipe.read())
    os.waitpid(child, 0)
    game.play_on(3)
    arena.step(arena.legal()[0])
    many.step_at_random()
    assert told == [game.save(), arena.given, omerta.simulate(city, 300, players=8, threads=1).run]
    assert numpy.array_equal(many.known, known)


@pytest.mark.parametrize(
    "script",
    [
        "import omerta; omerta.simulate(omerta.load('city'), 10**9, players=8)",
        "import omerta; omerta.exact(omerta.load('vendetta'), players=12)",
        "from omerta.vector import Vector\ngames = Vector('city', 500_000, players=8)\nwhile True: games.step_at_random()",
    ],
    ids=["simulate", "exact", "vector"],
)
def test_ctrl_c_stops_what_takes_long(script: str) -> None:
    if "vector" in script:
        pytest.importorskip("numpy")
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    run = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    begun = time.monotonic()
    _, err = run.communicate(timeout=60)
    assert "KeyboardInterrupt" in err and run.returncode != 0
    assert time.monotonic() - begun < 20


def test_what_is_read_or_called_that_is_not_there_is_said() -> None:
    with pytest.raises(omerta.RulesError, match="no-such"):
        omerta.load("no-such")
    with pytest.raises(AttributeError, match="frozen|read-only|not writable|no attribute|setattr"):
        omerta.load("city").name = "town"  # type: ignore[misc]
    run = omerta_command("sim", "city", "--on", "moon")
    assert run.returncode == 2 and "ray" in run.stderr
