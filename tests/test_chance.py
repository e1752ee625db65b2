"""Tests that draw by chance draw the same every time, and something new where that is wanted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chance import SEED, SOAK, seeds
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[1]
RARE = 987_654_321  # an unusual number, which stands in no module that is loaded


def examples() -> list[tuple[int, float, str]]:
    """What Hypothesis draws now, under the settings of every test here."""
    drawn = []

    @given(st.integers(0, 2**31), st.floats(), st.text(max_size=3))
    def draw(number, share, text):
        drawn.append((number, share, text))

    draw()
    return drawn


def told() -> str:
    return f"drawn {crc32(repr(examples()).encode())} {list(seeds(3))}"


@pytest.mark.parametrize("number", [0, 1])
def test_what_is_drawn(number):
    """Printed for the tests below, which start it in processes of their own."""
    print(told())


@pytest.mark.skipif(SOAK, reason="draws anew")
def test_examples_are_the_same_whatever_else_is_loaded(tmp_path, monkeypatch):
    before = repr(examples())
    (tmp_path / "module_of_numbers.py").write_text(f"NUMBERS = {[RARE + k for k in range(500)]}\n")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("module_of_numbers")
    try:
        assert repr(examples()) == before
    finally:
        del sys.modules["module_of_numbers"]


def run(**environment) -> list[str]:
    """What two processes draw, as one line each."""
    clean = {name: value for name, value in os.environ.items() if name not in ("SOAK", SEED, "PYTEST_XDIST_WORKER")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-n", "0", f"{__file__}::test_what_is_drawn"],
        cwd=ROOT, env={**clean, "ARMATURE_DISPLAY": "keep", **environment},
        capture_output=True, text=True, timeout=PROCESS,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return re.findall(r"drawn \d+ \[.*\]", done.stdout)


@pytest.mark.skipif(SOAK, reason="draws anew")
def test_every_process_draws_the_same():
    assert run() == [told()] * 2


def test_soak_draws_anew_and_again_what_is_asked_for():
    one, again = run(SOAK="1"), run(SOAK="1", **{SEED: "50400"})
    assert len({*one, *again}) == 4, "Hypothesis, each time"
    assert len({line.split("[")[1] for line in one}) == 1 and "[0, 1, 2]" not in one[0]
    assert all(line.endswith("[50400, 50401, 50402]") for line in again)
