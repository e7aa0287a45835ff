"""Sweeps on a cluster: byte for byte what one machine comes to, whoever is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import omerta

from conftest import omerta_command

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    """Two nodes with a worker each."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, logging_level="ERROR")
    yield ray
    ray.shutdown()
    nodes.shutdown()


def test_a_sweep_is_what_one_machine_comes_to_though_a_worker_is_killed(cluster: object, tmp_path: Path) -> None:
    from omerta import ray as sweeps

    marked = tmp_path / "killed"
    whole = sweeps._play

    def play(
        variant: object, games: int, seed: int, part: int, shards: int, path: str, version: str
    ) -> tuple[int, float]:
        if part == 2 and not marked.exists():
            marked.write_text("once")
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(variant, games, seed, part, shards, path, version)  # type: ignore[arg-type]

    wanted = sweeps.variants("city", players=[7, 8], overlays=[[], ["mayor"]])
    assert [variant.name for variant in wanted] == ["7 players", "8 players", "7 players, mayor", "8 players, mayor"]
    heard: list[sweeps.Progress] = []
    sweeps._play = play
    try:
        came = sweeps.sweep(wanted, 20_000, folder=tmp_path / "parts", shards=3, under_way=2, progress=heard.append)
    finally:
        sweeps._play = whole
    assert marked.exists()
    assert (heard[-1].done, heard[-1].of, heard[-1].games) == (12, 12, 80_000)
    assert 0 < heard[0].processor_seconds < heard[-1].processor_seconds
    for variant, numbers in zip(wanted, came):
        alone = omerta.simulate(variant.rules, 20_000, players=variant.players, seed=1)
        assert numbers.run == alone.run
    # What is there is not played again, and what is half written counts for nothing.
    assert all(path.suffix == ".json" for path in (tmp_path / "parts").iterdir())
    heard.clear()
    again = sweeps.sweep(wanted, 20_000, folder=tmp_path / "parts", shards=3, progress=heard.append)
    assert again == came and heard == []


def test_a_machine_with_another_version_is_named(cluster: object, tmp_path: Path) -> None:
    from omerta import ray as sweeps

    [variant] = sweeps.variants("city", players=[8])
    with pytest.raises(omerta.Error, match="where the sweep began"):
        sweeps._play(variant, 100, 1, 1, 1, str(tmp_path / "part"), "0.0.0")
    with pytest.raises(omerta.Error):
        sweeps.sweep([sweeps.Variant(variant.rules, 2)], 100, folder=tmp_path)
    with pytest.raises(ValueError):
        sweeps.sweep([variant], 0, folder=tmp_path)


def test_the_program_plays_on_a_cluster_what_it_plays_alone(cluster: object, tmp_path: Path) -> None:
    words = ["city", "--players", "8", "--games", "20000", "--seed", "3"]
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    alone = omerta_command("sim", *words, "--json", "--out", str(here))
    spread = omerta_command("sim", *words, "--json", "--on", "ray", "--parts", "4", "--out", str(there))
    assert spread.returncode == 0, spread.stderr
    assert here.read_bytes() == there.read_bytes()
    assert json.loads(spread.stdout) == json.loads(alone.stdout)
    assert "4 of 4 parts, 20000 games" in spread.stderr
    wrong = omerta_command("sim", "no-such", "--on", "ray")
    assert wrong.returncode == 1 and "no-such" in wrong.stderr
