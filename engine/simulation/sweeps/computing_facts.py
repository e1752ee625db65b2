"""Facts about a process that affect the last bit of a run: processes with the same facts compute the same."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from armature.engine import version
from armature.engine.files import shipped
from armature.engine.kernel_target import COMMON, VARIABLE, target_name
from armature.engine.model.robot import Robot

ENGINE = Path(__file__).parents[2]
Facts = Mapping[str, str]
_VERSION, _SOURCES, _TARGET, _LIBRARIES, _ROBOT = "version", "sources", "target", "libraries", "robots/"


def computing_facts() -> dict[str, str]:
    """Return the facts of this process: version and sources of Armature, target of numba, libraries that round."""
    return {
        _VERSION: version.VERSION,
        _SOURCES: _sources(),
        _TARGET: target_name(),
        _LIBRARIES: libraries(),
    }


def robot_facts(robot: Robot) -> dict[str, str]:
    """Return the SHA-256 of a shipped robot file by its name; nothing for a user's file, which is sent along."""
    source = robot.source
    if source is None or source.parent != shipped("robots"):
        return {}
    return {f"{_ROBOT}{source.name}": robot.file_hash}


def facts_like(others: Facts) -> dict[str, str]:
    """Return the facts of this process under the names in `others`."""
    mine = computing_facts()
    for name in others:
        if name.startswith(_ROBOT):
            mine[name] = _shipped_hash(name.removeprefix(_ROBOT))
    return mine


def difference(here: Facts, there: Facts) -> str:
    """Return how another process differs from this one, such as "has Armature 1.2, this computer has 1.3"; empty if not."""
    for name, value in here.items():
        other = there.get(name, "")
        if other == value:
            continue
        if name == _VERSION:
            return f"has Armature {other}, this computer has {value}"
        if name == _SOURCES:
            return f"has different source files of Armature {here[_VERSION]}"
        if name == _TARGET:
            return f"has the numba target {other}, this computer has {value}; set {VARIABLE}={COMMON} on both"
        if name == _LIBRARIES:
            return f"has {other}, this computer has {value}"
        return f"has a different robot file {name}" if other else f"has no robot file {name}"
    return ""


def libraries() -> str:
    """Return the versions of the libraries that round: system, numba, numpy."""
    import numba

    return ", ".join(
        (platform.machine(), *filter(None, platform.libc_ver()), f"numba {numba.__version__}", f"numpy {np.__version__}")
    )


@cache
def _sources() -> str:
    digest = hashlib.sha256()
    for path in sorted(ENGINE.rglob("*.py"), key=lambda path: path.relative_to(ENGINE).as_posix()):
        digest.update(path.relative_to(ENGINE).as_posix().encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


@cache
def _shipped_hash(name: str) -> str:
    try:
        return hashlib.sha256(shipped("robots", Path(name).name).read_bytes()).hexdigest()
    except OSError:
        return ""
