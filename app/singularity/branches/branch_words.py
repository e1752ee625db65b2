"""What the window says about branches and the ways between them."""

from __future__ import annotations

import numpy as np

from armature.app.singularity.branches.straight_way import StraightWay
from armature.app.singularity.branches.tool_branches import ToolBranches
from armature.app.state.units import MINUS, Units, number
from armature.engine import Branch
from armature.engine.errors import enumeration


def row_text(found: ToolBranches, k: int, q: np.ndarray, units: Units, way: StraightWay | None) -> str:
    """Return branch k as lines: name, limits and distance from q `(n,)`, contact, and singularities on the path to it."""
    branch = found.branches[k]
    away = "current" if k == found.here(q) else f"{units.text(float(found.distances(q)[k]), False)} away"
    lines = ["  ".join(part for part in title(k, branch) if part), f"{limits(branch)}, {away}"]
    if branch.collides:
        lines.append(contact(branch))
    if branch.free:
        lines.append(f"one of infinitely many solutions: {enumeration(branch.free)} can vary")
    if way is not None and way.titles and k != found.here(q):
        lines.append(f"singular on the path: {enumeration(way.titles)}")
    return "\n".join(lines)


def title(k: int, branch: Branch, with_contact: bool = False) -> tuple[str, str]:
    """Return the label of branch k and its name in words, with its contact if requested."""
    head, words = (branch.name, "") if branch.name.startswith("branch ") else (str(k + 1), branch.name)
    return head, ", ".join(filter(None, (words, contact(branch) if with_contact and branch.collides else "")))


def contact(branch: Branch) -> str:
    """Return the pair in the deepest contact as text."""
    return f"collides: {'–'.join(branch.collides)}"


def limits(branch: Branch) -> str:
    """Within limits, or which joints are not."""
    return "within limits" if branch.within_limits else f"{enumeration(branch.beyond)} beyond {_whose(branch)} limits"


def changes_text(found: ToolBranches, k: int, q: np.ndarray, units: Units) -> str:
    """How far every joint goes."""
    parts = []
    for name, by, slides in zip(found.robot.joint_names, found.changes(q)[k], found.robot.prismatic, strict=True):
        text = units.text(float(by), bool(slides))
        parts.append(f"{name} {text if text.startswith(MINUS) else '+' + text}")
    return "\n".join(parts)


def summary(found: ToolBranches) -> str:
    """Return the number of branches, of those within limits and of those in contact."""
    count, inside = len(found.branches), sum(branch.within_limits for branch in found.branches)
    if not count:
        return "There is no IK solution for this pose."
    ways = "One IK solution" if count == 1 else f"{count} IK solutions"
    held = "" if found.held is None else f" with {found.robot.joint_names[found.held]} fixed"
    inside_words = "all within limits" if inside == count else f"{inside} within limits"
    hits = sum(bool(branch.collides) for branch in found.branches)
    return f"{ways}{held}, {inside_words}" + (f", {hits} in contact" if hits else "")


def way_text(branch: Branch, way: StraightWay, held: str | None) -> str:
    """The sentence about the straight way to a branch, with the name of the joint that is held."""
    if not way.crossings:
        least = f"σ min is at least {number(way.least, 3)}" if way.least < way.sigma else f"σ min is above {number(way.sigma, 3)}"
        return f"To {branch.name}: no singularity on the straight path in joint space; {least}."
    met = enumeration(
        [f"{enumeration(crossing.titles)} at {number(100 * crossing.share, 0)} % of the path" for crossing in way.crossings]
    )
    what = "σ min" if held is None else f"σ min of the six other joints ({held} fixed)"
    fall = f"{what} decreases from {number(way.sigma, 3)} to {number(way.least, 3)}"
    return f"To {branch.name}: on the straight path in joint space (the tool moves on the way), {fall}: {met}."


def refusal(branch: Branch) -> str:
    """Why the arm does not go to a branch."""
    return f"The arm cannot move to {branch.name}: {enumeration(branch.beyond)} would exceed {_whose(branch)} limits."


def _whose(branch: Branch) -> str:
    return "its" if len(branch.beyond) == 1 else "their"
