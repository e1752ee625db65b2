"""What the letters of an arm's formulas are, or why there are none, in words."""

from __future__ import annotations

from collections.abc import Mapping

from armature.app.equations.sheet.words import letter_unit
from armature.app.state.shared_sentences import sentence
from armature.app.state.units import significant
from armature.engine.formulas.lettering import MOST_JOINTS, no_letters
from armature.engine.model.robot import Robot

LARGE = "Symbols such as m1 and a1 are limited to three joints; the coefficients here are numbers."


def letters_text(values: Mapping[str, float]) -> str:
    """Each letter with its number and unit, as rich text: m₁ = 2 kg, d₂ = 0.5 m."""
    parts = [f"{_subscripted(name)} = {significant(x)} {letter_unit(name)}" for name, x in values.items()]
    return ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)


def without_letters(robot: Robot) -> str:
    """Why numbers stand where letters could, as a sentence; "" where letters do."""
    why = no_letters(robot)
    return "" if not why else LARGE if robot.n > MOST_JOINTS else sentence(why)


def _subscripted(name: str) -> str:
    return f"<i>{name[0]}</i><sub>{name[1:]}</sub>" if name[1:] else f"<i>{name}</i>"
