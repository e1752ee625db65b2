"""What a new law may begin as: the built-in laws as files, one that only carries the arm, and examples."""

from __future__ import annotations

from armature.app.control.offered_laws import LAWS
from armature.engine.resources import shipped

EMPTY = '''"""A control law of my own."""


def control(t, q, qd, goal, arm, p):
    """Motor torques, one per joint, in N·m (N for a slide).

    t s; q, qd the joints' positions and speeds; goal.q, goal.qd, goal.qdd what they should be; arm has gravity(q),
    rnea(q, qd, qdd), mass_matrix(q), coriolis(q, qd), jacobian(q), pose(q); p has the parameters below, p.memory to keep
    things in between calls, and p.log to have them plotted.
    """
    p.log["e"] = goal.q - q
    return arm.gravity(q) - p.kd * qd


control.p = {"kd": (0, 10, 1)}  # name: lowest, highest, start; each becomes a slider
control.period = 0.001  # s between two calls
'''


def templates() -> dict[str, str]:
    """Texts by their titles, the built-in laws in the order in which they are offered."""
    places = {name: shipped("assets", "laws", "templates", f"{name.replace('-', '_')}.py") for name in LAWS}
    built_in = {LAWS[name].title: path.read_text(encoding="utf-8") for name, path in places.items() if path.is_file()}
    return {"Gravity and damping, to begin with": EMPTY, **built_in}


def examples() -> dict[str, str]:
    """Laws that are not built in."""
    found = sorted(shipped("assets", "laws").glob("*.py"))
    return {path.stem.replace("_", " ").capitalize(): path.read_text(encoding="utf-8") for path in found if path.stem[0] != "_"}
