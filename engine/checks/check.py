"""`check`: whether the engine computes one robot rightly, by identities and beside independent engines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from armature.engine.checks.identities import DYNAMICS, EXACT, KINEMATICS, NEED_INERTIA
from armature.engine.checks.peer_checks import FORWARD, MuJoCo, Pinocchio
from armature.engine.dynamics.uncompiled import inertia_cause
from armature.engine.errors import EngineError
from armature.engine.model.robot import Robot
from armature.engine.reach.random_states import States, random_states

OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
_REFUSALS = (ValueError, RuntimeError)  # what the peers raise at models they do not take


@dataclass(frozen=True)
class CheckResult:
    """Result of one check of `check`.

    `name`: name of the check. `error`: largest relative error over the states, None if not computed; the check passes if it is
    below `bar`. `status`: "ok", "FAILED" or "skipped"; `note`: reason why it was skipped or failed, else "".
    """

    name: str
    error: float | None
    bar: float
    status: str
    note: str = ""


def check(robot: Robot, states: int = 20, seed: int = 0) -> Iterator[CheckResult]:
    """Check the engine on a robot and yield one result after another.

    Identities that need no reference (for example, forward dynamics inverts inverse dynamics, Lagrange equals Newton–Euler, the
    rate of energy equals motor power), then comparisons with Pinocchio and MuJoCo if installed, at random states within the
    limits.

    Args:
        states: number of random states, at least 1.
        seed: seed of the random states.

    Returns:
        An iterator of `CheckResult`, each computed when it is read.

    Raises:
        EngineError: `states` is below 1.
    """
    if states < 1:
        raise EngineError(f"check: states must be 1 or more, got {states}")
    return _checks(robot, states, seed)


def _checks(robot: Robot, count: int, seed: int) -> Iterator[CheckResult]:
    s, cause = random_states(robot, count, seed), inertia_cause(robot)
    for name, bar, identity in KINEMATICS:
        yield _judged(name, bar, partial(identity, robot, s))
    if robot.has_dynamics:
        for name, bar, identity in DYNAMICS:
            if robot.coupling is not None and "articulated" in name:
                yield CheckResult(name, None, bar, SKIPPED, "the method does not support mimic joints")
            elif cause and identity in NEED_INERTIA:
                yield CheckResult(name, None, bar, SKIPPED, cause)
            else:
                yield _judged(name, bar, partial(identity, robot, s))
    else:
        yield CheckResult("all checks of dynamics", None, EXACT, SKIPPED, "the robot has no masses")
    tree = robot.tree
    on_tree = s if robot.coupling is None else random_states(tree, count, seed)
    for peer in (Pinocchio, MuJoCo):
        yield from _beside(peer, tree, on_tree, cause)


def _beside(peer: type[Pinocchio] | type[MuJoCo], robot: Robot, s: States, cause: str) -> Iterator[CheckResult]:
    try:
        other = peer(robot, s)
    except ImportError:
        yield CheckResult(f"comparison with {peer.name}", None, EXACT, SKIPPED, f"{peer.name} is not installed")
        return
    except _REFUSALS as error:
        reason = " ".join(str(error).split())
        yield CheckResult(f"comparison with {peer.name}", None, EXACT, SKIPPED, f"{peer.name} cannot load this robot: {reason}")
        return
    for name, compare in other.kinematics() + (other.dynamics() if robot.has_dynamics else []):
        if cause and name == FORWARD:
            yield CheckResult(f"{name} as {peer.name}", None, EXACT, SKIPPED, cause)
        else:
            yield _judged(f"{name} as {peer.name}", EXACT, compare)


def _judged(name: str, bar: float, measure: Callable[[], float]) -> CheckResult:
    try:
        error = measure()
    except EngineError as problem:
        return CheckResult(name, None, bar, FAILED, str(problem))
    if not math.isfinite(error):
        return CheckResult(name, None, bar, FAILED, "the result is not a finite number")
    return CheckResult(name, error, bar, OK if error <= bar else FAILED)
