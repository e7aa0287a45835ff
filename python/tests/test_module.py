"""Rules, games, views, errors: what the module promises."""

from __future__ import annotations

import copy
import doctest
import importlib
import json
import multiprocessing
import pickle
import sys
import threading
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Literal

import pytest

import omerta

from conftest import omerta_command

DUEL = """ruleset duel "A duel"
use std.table
players 2
cast { players 2
  Left 1
  Right 1 }
team Both "both"
role Left "the left" of Both
role Right "the right" of Both
script {
  play Deal
  ask seat 1 for target from others "Whom do you challenge?"
  say "{target} is challenged."
  judge
}
ending over: win Both when some players "it is over"
"""

SUITE = """ruleset city

play "eight"
  seats 8

play "nine"
  seats 8
  expect nobody is living
"""


@pytest.fixture
def city() -> omerta.Rules:
    return omerta.load("city")


@pytest.mark.parametrize("name", ["omerta", "omerta.vector", "omerta.pettingzoo", "omerta.openspiel"])
def test_examples_in_docstrings_are_so(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as missing:
        pytest.skip(str(missing))
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 0) == (0, True)


def test_rules_are_loaded_by_name_by_path_and_from_text(tmp_path: Path) -> None:
    path = tmp_path / "duel.mafia"
    path.write_text(DUEL)
    by_path, by_text = omerta.load(path), omerta.load(text=DUEL)
    assert by_path == by_text and hash(by_path) == hash(by_text)
    assert by_text != omerta.load("city")
    assert (by_text.name, by_text.title, by_text.players) == ("duel", "A duel", (2, 2))
    assert [role.title for role in by_text.roles] == ["the left", "the right"]
    mayor = omerta.load("city", overlays=["mayor"])
    assert mayor.overlays == ["mayor"] and mayor != omerta.load("city")
    for wrong in ({}, {"source": "city", "text": DUEL}):
        with pytest.raises(TypeError, match="text="):
            omerta.load(**wrong)  # type: ignore[arg-type]


def test_options_are_set_and_wrong_ones_refused(city: omerta.Rules) -> None:
    option = city.options[0]
    other = next(value for value in option.values if value != option.value and ".." not in value)
    changed = omerta.load("city", options={option.name: other})
    assert next(one.value for one in changed.options if one.name == option.name) == other
    with pytest.raises(omerta.RulesError):
        omerta.load("city", options={"no-such": True})


def test_mistakes_are_objects_with_places_and_drawn() -> None:
    wrong = DUEL.replace("from others", "from othres")
    with pytest.raises(omerta.RulesError) as raised:
        omerta.load(text=wrong)
    error = raised.value
    assert error.code is not None and error.place is not None
    assert (error.place.line, wrong[error.place.start : error.place.end]) == (12, "othres")
    assert "ask seat 1 for target from othres" in str(error)
    assert [mistake.code for mistake in omerta.check(text=wrong)] == [error.code]
    assert [mistake.is_warning for mistake in omerta.check(text=DUEL)] == [True]
    with pytest.raises(omerta.RulesError, match="no-such"):
        omerta.check("./no-such.mafia")
    assert pickle.loads(pickle.dumps(error)).code == error.code


def test_a_game_is_asked_answered_seen_and_taken_back() -> None:
    game = omerta.load(text=DUEL).begin(names=["Ann", "Bob"])
    asked = game.asked
    assert asked is not None
    assert (asked.name, asked.seats, asked.asked) == ("target", [0], "seats")
    assert asked.words.endswith("Whom do you challenge?")
    assert [answer.words for answer in game.legal()] == ["Bob"]
    before = game.clone()
    game.apply(game.legal()[0])
    assert game.over and game.winners == [0, 1]
    assert game.outcome is not None and game.outcome.ending == "over"
    assert "Bob is challenged." in [event.words for event in game.view()]
    assert "Bob is challenged." in [event.words for event in game.view("Bob")]
    assert len(game.view(1)) < len(game.log) == len(game.view("host"))
    assert game.undo() and game.asked == asked and game == before
    assert game.redo() and game != before
    assert game.replay().asked == asked


def test_an_answer_that_is_not_legal_changes_nothing_and_names_those_that_are() -> None:
    game = omerta.load(text=DUEL).begin(names=["Ann", "Bob"])
    before = game.save()
    with pytest.raises(omerta.IllegalAnswer, match="legal: Bob") as raised:
        game.apply("Ann")
    assert raised.value.legal == ["Bob"]
    for wrong in (3, None, b"Bob", ["Bob"]):
        with pytest.raises(TypeError, match="legal"):
            game.apply(wrong)  # type: ignore[arg-type]
    assert game.save() == before
    game.apply("Bob")
    with pytest.raises(omerta.IllegalAnswer):
        game.apply("Bob")
    assert game.random_answer() is None and game.play_on() == 0


@pytest.mark.parametrize("who", [-1, 2, 300, 1 << 70, "Cid", 1.5, b"Ann"])
def test_a_view_of_nobody_is_refused(who: object) -> None:
    game = omerta.load(text=DUEL).begin(names=["Ann", "Bob"])
    with pytest.raises((ValueError, TypeError)):
        game.view(who)  # type: ignore[arg-type]


def test_a_table_that_the_rules_do_not_know_is_refused(city: omerta.Rules) -> None:
    for wrong in ({"players": 2}, {"players": 60}, {"names": ["Ann", "Ann", "Bob"]}, {"players": 8, "cast": "Dragon 8"}):
        with pytest.raises(omerta.Error):
            city.begin(**wrong)  # type: ignore[arg-type]


def test_the_same_seed_and_answers_give_the_same_game(city: omerta.Rules) -> None:
    games = [city.begin(players=8, seed=seed) for seed in (5, 5, 6)]
    for game in games:
        game.play_on()
    assert games[0] == games[1] and games[0].log == games[1].log
    assert games[0] != games[2]


def test_chance_by_hand_is_asked_and_has_shares(city: omerta.Rules) -> None:
    game = city.begin(players=8, chance_by_hand=True)
    assert game.asked is not None and game.asked.asked == "chance"
    chances = game.chances()
    assert sum(share for _, share in chances) == pytest.approx(1)
    game.apply(chances[-1][0])
    again = pickle.loads(pickle.dumps(game))
    assert again == game and again.asked == game.asked and again.chances() == game.chances()


@pytest.mark.parametrize("over", [False, True])
def test_games_are_copied_pickled_kept_and_restored(city: omerta.Rules, over: bool) -> None:
    game = city.begin(players=8, seed=3)
    game.play_on(None if over else 5)
    copies = [copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), city.restore(game.save())]
    for again in copies:
        assert again == game and again is not game and again.log == game.log
    copies[0].undo()
    assert copies[0] != game
    with pytest.raises(TypeError):
        hash(game)
    with pytest.raises(omerta.SaveError):
        omerta.load("village").restore(game.save())
    for wrong in ("", "{}", game.save()[:-20], game.save().replace('"answers"', '"answer"')):
        with pytest.raises(omerta.SaveError):
            city.restore(wrong)


def test_rules_travel_with_their_texts_and_are_refused_where_they_are_others(tmp_path: Path) -> None:
    path = tmp_path / "duel.mafia"
    path.write_text(DUEL)
    rules = omerta.load(path)
    parts = pickle.dumps(rules)
    path.write_text("ruleset other")
    assert pickle.loads(parts) == rules
    with pytest.raises(omerta.SaveError, match="same version"):
        omerta._load_again("city", [], [], [], rules.identity)


def test_many_games_are_those_of_the_program_on_any_number_of_threads(city: omerta.Rules) -> None:
    heard: list[int] = []
    one = omerta.simulate(city, 3000, players=8, seed=4, threads=1, progress=heard.append)
    assert one == omerta.simulate(city, 3000, players=8, seed=4, threads=2)
    assert one != omerta.simulate(city, 3000, players=8, seed=5)
    assert (one.games, one.wrong) == (3000, 0)
    parts = [omerta.simulate(city, 3000, players=8, seed=4, shard=(part, 3)).run for part in (3, 1, 2)]
    assert omerta.merge(parts).run == one.run
    with pytest.raises(omerta.SaveError, match="missing"):
        omerta.merge(parts[:2])
    assert pickle.loads(pickle.dumps(one)) == one
    assert "Mafia" in one._repr_html_()


def test_exact_values_are_those_of_the_program(city: omerta.Rules) -> None:
    walked = omerta.exact(omerta.load("village"), players=4)
    told = omerta_command("exact", "village", "--players", "4", "--json")
    assert walked["counted"] == json.loads(told.stdout)["counted"]
    teams = [Fraction(one["value"]["fraction"]) for one in walked["counted"] if one["kind"] == "team"]
    assert teams and all(0 <= share <= 1 for share in teams)
    few = omerta.exact(city, players=8, most_positions=500)
    [first, *_] = (one["value"] for one in few["counted"] if one["kind"] == "team")
    assert first["low"] < first["high"]


def test_exact_values_are_of_the_rules_as_they_were_loaded(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "duel.mafia"
    path.parent.mkdir()
    path.write_text(DUEL)
    for rules in (omerta.load(path), omerta.load(text=DUEL)):
        # They travel with their texts: the file may be gone.
        path.unlink(missing_ok=True)
        shares = {one["name"]: one["value"]["fraction"] for one in omerta.exact(rules)["counted"] if one["kind"] == "team"}
        assert set(shares.values()) == {"1"}
    with pytest.raises(omerta.TableError, match="players"):
        omerta.exact(omerta.load(text=DUEL), players=5)
    with pytest.raises(omerta.TableError, match="no-such"):
        omerta.exact(omerta.load("village"), players=4, policies=["no-such"])


def test_progress_that_raises_stops_the_games(city: omerta.Rules) -> None:
    def progress(_: int) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        omerta.simulate(city, 50_000_000, players=8, progress=progress)


def test_other_threads_go_on_while_games_are_played(city: omerta.Rules) -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.002):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    omerta.simulate(city, 60_000, players=8, threads=1)
    done.set()
    thread.join()
    assert ticks > 5


def test_threads_that_share_a_game_take_turns(city: omerta.Rules) -> None:
    game = city.begin(players=8, seed=1)
    wrong: list[BaseException] = []

    def play() -> None:
        try:
            for _ in range(200):
                answer = game.random_answer()
                if answer is None:
                    return
                try:
                    game.apply(answer)
                except omerta.IllegalAnswer:
                    pass
                game.view(0)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert city.restore(game.save()) == game


def _in_a_fork(game: omerta.Game) -> int:
    game.play_on()
    return omerta.simulate(game.rules, 500, players=8).games


def test_a_fork_in_the_middle_goes_on_by_itself(city: omerta.Rules) -> None:
    game = city.begin(players=8, seed=2)
    game.play_on(4)
    omerta.simulate(city, 500, players=8)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_a_fork, [game, game]) == [500, 500]
    assert not game.over


def test_rules_that_go_wrong_at_play_say_so_and_crash_nothing() -> None:
    endless = DUEL.replace('  say "{target} is challenged."', "  repeat {\n    set steps to 1\n  }").replace(
        "script {", "count steps\nscript {"
    )
    game = omerta.load(text=endless).begin(names=["Ann", "Bob"])
    game.apply("Bob")
    assert game.over and game.outcome is None and game.winners == []
    assert game.fault == "the rules go on and on without a pause"
    assert "went wrong" in repr(game)


def test_values_show_themselves_and_compare(city: omerta.Rules) -> None:
    game = city.begin(players=8, seed=7)
    assert repr(city) == "<Rules city>" and repr(game).startswith("<Game of city, 8 seats, asks ")
    assert repr(omerta.Answer("Ann")) == "Answer(words='Ann')"
    assert omerta.Answer("Ann") == omerta.Answer("Ann") != omerta.Answer("Bob")
    assert pickle.loads(pickle.dumps(game.asked)) == game.asked
    assert "omerta" in omerta.Game.__module__


def test_a_notebook_shows_the_table_the_numbers_and_plots(city: omerta.Rules) -> None:
    from xml.etree import ElementTree

    game = city.begin(names=["<Ann>", "Bob & Co", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"], seed=7)
    drawn = ElementTree.fromstring(game._repr_svg_())
    texts = "".join(drawn.itertext())
    assert "<Ann>" in texts and "Bob-&-Co" in texts
    numbers = omerta.simulate(city, 500, players=8)
    pytest.importorskip("matplotlib")
    assert omerta.plot(numbers).axes[0].get_xlabel() == "share of 500 games"
    with pytest.raises(ValueError, match="there are"):
        omerta.plot(numbers, "colour")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_numbers_are_a_frame_of_either_library(
    city: omerta.Rules, library: Literal["pandas", "polars"], monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = pytest.importorskip(library)
    numbers = omerta.simulate(city, 500, players=8)
    frame = omerta.frame(numbers, library)
    assert isinstance(frame, frames.DataFrame)
    assert list(frame.columns) == ["kind", "name", "held", "won", "share", "low", "high"]
    assert list(frame["won"]) == [one.won for one in numbers.counts]
    assert frame["share"].max() <= 1 and len(frame) == len(numbers.counts)
    # Where the other is not there, it is taken without being named.
    other = {"pandas": "polars", "polars": "pandas"}[library]
    monkeypatch.setitem(sys.modules, other, None)
    assert isinstance(omerta.frame(numbers), frames.DataFrame)
    with pytest.raises(ImportError, match=f"pip install {other}"):
        omerta.frame(numbers, other)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="pandas or polars"):
        omerta.frame(numbers, "excel")  # type: ignore[call-overload]


def test_scenarios_run_from_python(tmp_path: Path) -> None:
    path = tmp_path / "mine.play"
    path.write_text(SUITE)
    tried = omerta.run_scenarios(path)
    assert [(one.name, one.passed) for one in tried] == [("eight", True), ("nine", False)]
    assert tried[1].mistakes[0].places[0].line == 8
    assert [one.name for one in omerta.run_scenarios(path, filter="nine")] == ["nine"]
    with pytest.raises(omerta.RulesError):
        omerta.run_scenarios(tmp_path / "no-such.play")


def test_pytest_collects_scenarios_and_draws_what_failed(pytester: pytest.Pytester) -> None:
    if not any(point.name == "omerta" for point in metadata.entry_points(group="pytest11")):
        pytest.skip("the package is not installed")
    pytester.path.joinpath("mine.play").write_text(SUITE)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "mine.play")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*mine.play:8:*", "*expect nobody is living*"])
