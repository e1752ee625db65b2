"""Which shipped arms a test runs on that takes long for each."""

from __future__ import annotations

from armature import engine
from tests.chance import SOAK

# Arms that differ from others of the list in their figures only; quick tests run on these, too.
_ALIKE = {"ur3e", "ur5e", "ur10e", "fr3", "iiwa14", "gen3", "sawyer", "xarm6"} | {
    "kr6_r900", "irb120", "irb6700", "lrmate200id", "gp7", "tx2_60", "vs060",
}  # fmt: skip


def different_arms() -> tuple[str, ...]:
    """Names of the arms that ship, with SOAK=1 all of them, else one of each kind."""
    return tuple(name for name in engine.shipped_robots() if SOAK or name not in _ALIKE)
