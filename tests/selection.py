"""The tests of `make test`, and those that run while the kernels still compile."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
COMPILER = "ARMATURE_COMPILER"
"""Environment variable: number of the process that compiles kernels during the tests."""
_POLL = 0.2  # s
_WITHOUT_KERNELS = "[without kernels]"


@cache
def listed() -> tuple[frozenset[str], frozenset[str]]:
    """Tests in quick.txt, as `engine/test_robot.py` or with `::function`: all of them, and those that need no kernel."""
    text = (ROOT / "quick.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    middle = lines.index("[with kernels]")
    early = lines[lines.index(_WITHOUT_KERNELS) + 1 : middle]
    return frozenset(early + lines[middle + 1 :]), frozenset(early)


def _is_in(item: pytest.Item, tests: frozenset[str]) -> bool:
    file = _name(item.path)
    return file in tests or f"{file}::{getattr(item, 'originalname', item.name)}" in tests


def _name(path: Path) -> str:
    """The path of a file as quick.txt has it; other files have their whole path."""
    return (path.relative_to(ROOT) if path.is_relative_to(ROOT) else path).as_posix()


def is_quick(item: pytest.Item) -> bool:
    """True for a test that `make test` runs."""
    return _is_in(item, listed()[0])


def needs_kernels(item: pytest.Item) -> bool:
    """False for a test that quick.txt lists as independent of compiled kernels."""
    return not _is_in(item, listed()[1])


def has_no_quick_test(path: Path) -> bool:
    """True for a test file without a line in quick.txt: `make test` need not import it."""
    file = _name(path)
    return path.name.startswith("test_") and not any(line.split("::")[0] == file for line in listed()[0])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Wait, outside of every time limit, for the kernels that a test needs."""
    if needs_kernels(item):
        wait_for_kernels()
    return (yield)


def wait_for_kernels() -> None:
    """Return when the process that compiles the kernels has ended; at once if there is none."""
    while (number := os.environ.get(COMPILER)) and _is_running(int(number)):
        time.sleep(_POLL)
    os.environ.pop(COMPILER, None)


def _is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
