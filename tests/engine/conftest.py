"""Robots and workers that many tests of the engine start from."""

from __future__ import annotations

import pytest

from armature import engine
from tests.engine.watched import workers


@pytest.fixture(scope="session")
def puma():
    return engine.load_robot("puma560")


@pytest.fixture(scope="session")
def scara():
    return engine.load_robot("scara")


@pytest.fixture
def start():
    """Starts a worker, which is watched: `start("puma560")`."""
    yield from workers()
