"""Templates of user-defined controllers: gravity compensation, the built-in laws, and examples."""

from __future__ import annotations

from armature.app.control.offered_laws import laws
from armature.engine.files import shipped

EMPTY = '''"""User-defined controller."""


def control(t, q, qd, goal, arm, p):
    """Return the motor torques, one per joint, in N·m (N for prismatic joints).

    t: time, s; q, qd: joint positions and velocities; goal.q, goal.qd, goal.qdd: desired motion; arm: the model, with
    gravity(q), rnea(q, qd, qdd), mass_matrix(q), coriolis(q, qd), jacobian(q), pose(q); p: the parameters below, p.memory to
    store values between calls, and p.log to plot values.
    """
    p.log["e"] = goal.q - q
    return arm.gravity(q) - p.kd * qd


control.p = {"kd": (0, 10, 1)}  # name: (minimum, maximum, initial value); each becomes a slider
control.period = 0.001  # control period, s
'''


def templates() -> dict[str, str]:
    """Return the texts of all templates by title, in the order of the chooser."""
    places = {law.title: shipped("assets", "laws", "templates", f"{name.replace('-', '_')}.py") for name, law in laws().items()}
    built_in = {title: path.read_text(encoding="utf-8") for title, path in places.items() if path.is_file()}
    return {"Gravity compensation and damping": EMPTY, **built_in}


def examples() -> dict[str, str]:
    """Return the texts of the examples by title."""
    found = sorted(shipped("assets", "laws").glob("*.py"))
    return {path.stem.replace("_", " ").capitalize(): path.read_text(encoding="utf-8") for path in found if path.stem[0] != "_"}
