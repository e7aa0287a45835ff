"""The program inside the package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from importlib import metadata
from pathlib import Path

import pytest

import omerta

from conftest import games, omerta_command


def test_the_program_says_its_version_and_what_is_inside() -> None:
    assert omerta_command("--version").stdout == f"omerta {omerta.__version__}\n"
    assert "city" in games() and len(games()) >= 5


def test_a_slip_is_told_as_the_program_tells_it() -> None:
    run = omerta_command("sim", "city", "sport")
    assert run.returncode == 2 and "is a word too many" in run.stderr
    run = omerta_command("no-such")
    assert run.returncode == 2 and run.stdout == ""


def test_the_program_and_the_module_count_the_same(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    run = omerta_command("sim", "city", "--players", "8", "--games", "2000", "--seed", "4", "--out", str(kept), "--json")
    assert run.returncode == 0 and json.loads(run.stdout)
    assert kept.read_text() == omerta.simulate(omerta.load("city"), 2000, players=8, seed=4).run


def test_careful_players_are_those_of_the_program(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    asked = ["--players", "5", "--games", "20", "--seed", "4", "--policy", "careful", "--out", str(kept), "--json"]
    run = omerta_command("sim", "city", *asked)
    assert run.returncode == 0, run.stderr
    city = omerta.load("city")
    careful = omerta.simulate(city, 20, players=5, seed=4, policies=["careful"])
    assert kept.read_text() == careful.run
    assert careful != omerta.simulate(city, 20, players=5, seed=4)


def test_the_prompt_opens_and_plays() -> None:
    run = omerta_command("play", "--players", "8", input="help\nquit\n")
    assert run.returncode == 0 and "undo" in run.stdout


def test_ctrl_c_ends_a_long_run_with_what_it_has() -> None:
    line = [sys.executable, "-m", "omerta", "sim", "city", "--players", "8", "--games", "900M", "--json"]
    run = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=60)
    assert run.returncode == 130
    assert json.loads(out)


def test_ctrl_c_in_the_module_is_the_exception_people_know() -> None:
    script = "import omerta; omerta.simulate(omerta.load('city'), 10**9, players=8)"
    # Whoever runs the tests in the background of a shell hands down that Ctrl-C is not heard.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    run = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, preexec_fn=heard)
    time.sleep(1.5)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert "KeyboardInterrupt" in err


def test_the_package_stands_by_itself() -> None:
    """Nothing is installed with it, and nothing of an extra is imported with it."""
    try:
        wanted = metadata.requires("omerta") or []
    except metadata.PackageNotFoundError:
        pytest.skip("it is not installed")
    assert all("extra ==" in one for one in wanted), wanted
    script = "import sys, omerta; print([name for name in ('numpy', 'pettingzoo', 'ray', 'pandas') if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=os.environ, check=True)
    assert run.stdout == "[]\n"


def test_the_stubs_say_what_the_module_has() -> None:
    pytest.importorskip("mypy")
    allowed = Path(__file__).parent / "stubtest.txt"
    line = [sys.executable, "-m", "mypy.stubtest", "omerta._core", "--allowlist", str(allowed), "--ignore-unused-allowlist"]
    run = subprocess.run(line, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "-p", "omerta"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
