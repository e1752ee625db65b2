"""Texts about one pair of links, or of a link and an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.state.units import MINUS, Units, number

if TYPE_CHECKING:
    from armature.engine import Contact, Robot

FARTHEST = np.radians(60.0)  # motion of a joint that counts as one that opens the pair


def title(contact: Contact) -> str:
    """Return what the pair does, such as "forearm hits table"."""
    one, other = contact.pair
    return f"{one} hits {other}" if contact.distance <= 0 else f"{one} and {other}"


def numbers(contact: Contact) -> str:
    """Return distance or depth, the two nearest points in m and the normal."""
    first, second, normal = (f"({', '.join(number(float(x), 3) for x in v)})" for v in (*contact.points, contact.normal))
    apart = f"{distance(abs(contact.distance))} {'deep' if contact.distance <= 0 else 'apart'}"
    return f"{apart}\nPoints {first} and {second} m\nNormal {normal}, from {contact.pair[1]} to {contact.pair[0]}"


def distance(x: float) -> str:
    """Return a distance in m as text in mm."""
    return f"{number(1e3 * x, 1)} mm"


def motions(robot: Robot, moves: np.ndarray, units: Units) -> str:
    """Return joint motions `(n,)` as text, without small ones."""
    size = np.where(robot.prismatic, 1.0, robot.characteristic_length)
    large = np.flatnonzero(np.abs(moves * size) > 0.05 * np.abs(moves * size).max(initial=0.0))
    texts = [units.short(float(moves[j]), bool(robot.prismatic[j])) for j in large]
    return ", ".join(f"{robot.joint_names[j]} {'+' * (text[0] != MINUS)}{text}" for j, text in zip(large, texts, strict=True))


def cause(robot: Robot, gradient: np.ndarray, joints: list[int], units: Units) -> str:
    """Return how fast the first of the `joints`, the most effective one, opens a pair."""
    if not joints:
        return "No joint opens this pair."
    j = joints[0]
    slides = bool(robot.prismatic[j])
    rate = distance(abs(float(gradient[j])) / units.factor(slides))
    return f"{robot.joint_names[j]} opens the pair fastest: {rate}/{units.symbol(slides)}."


def openers(robot: Robot, gradient: np.ndarray, by: float) -> list[int]:
    """Return the joints that open a pair by `by` m with a motion of at most 60° or the reach, the most effective first."""
    size = np.where(robot.prismatic, 1.0, robot.characteristic_length)
    farthest = np.where(robot.prismatic, robot.reach, FARTHEST)
    order = np.argsort(-np.abs(gradient) / size, kind="stable")
    return [int(j) for j in order if abs(gradient[j]) * farthest[j] >= by]
