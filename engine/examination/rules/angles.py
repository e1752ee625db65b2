"""Rules: constant angles in degrees, and axes that are parallel or at right angles only nearly."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from armature.engine.examination.edits import number_edit, repair, rounded, vector_edit
from armature.engine.examination.figures import TOML, Figures, WrittenAngle
from armature.engine.examination.finding import DOUBTFUL, ERROR, NOTE, Edit, Finding
from armature.engine.examination.rules.together import together
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number, vector
from armature.engine.model.toml.written_values import as_fraction

RADIANS = math.pi / 180  # of a degree
TURN = 2 * math.pi + 0.1
LEAST, MOST = 1e-6, 2e-3  # rad: 1.570796 is right to the digits that people write, 1.57 is not
RIGHT = math.pi / 2
DIGITS = 1e-4  # by which 0.7854, 1.0472 and 0.5236 miss a fraction of π


def in_degrees(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Constant angles of more than one turn; where most of an arm's are, its others too, unless they are fractions of π."""
    written = [angle for angle in figures.angles if angle.value and not _key(angle).endswith("_deg") and not angle.exact]
    places = {angle.where.key: angle for angle in written if abs(angle.value) > TURN or not _fraction(angle.value)}
    wild = {angle.where.key: angle for angle in reversed(written) if abs(angle.value) > TURN}
    found = [(RADIANS, _in_degrees(figures, wild[key])) for key in places if key in wild]
    yield from together(found, list(places.values()), "angles", partial(_turned, figures))


def _in_degrees(figures: Figures, angle: WrittenAngle) -> Finding:
    value = math.radians(angle.value)
    return Finding(
        "angle in degrees",
        ERROR,
        angle.where,
        f"{_key(angle)} = {number(angle.value)} rad, {number(abs(angle.value) / math.tau)} turns",
        "It was probably entered in degrees",
        repair(f"{number(angle.value)}°, {number(value)} rad", _turned(figures, angle, RADIANS), certain=True),
    )


def _key(angle: WrittenAngle) -> str:
    return str(angle.where.key[-1]) if angle.where.key else ""


def _turned(figures: Figures, angle: WrittenAngle, factor: float) -> tuple[Edit, ...]:
    """Edits that multiply an angle by a factor, and with it the angles of its rotation that are not in radians."""
    if angle.all_of:
        return vector_edit(figures, angle.where, [x if abs(x) <= TURN and _fraction(x) else factor * x for x in angle.all_of])
    return _edits(figures, angle, factor * angle.value)


def _edits(figures: Figures, angle: WrittenAngle, value: float) -> tuple[Edit, ...]:
    return ((angle.where.key, as_fraction(value) or value),) if figures.kind == TOML else ()


def in_radians(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Angles under keys for degrees that are fractions of pi, such as `alpha_deg = 1.5708`: one finding for each value."""
    seen: set[tuple] = set()
    for angle in figures.angles:
        key = _key(angle)
        written = [math.degrees(x) for x in angle.all_of or (angle.value,)]
        meant = [_fraction(x) for x in written]
        if not key.endswith("_deg") or angle.where.key in seen or not any(meant):
            continue
        seen.add(angle.where.key)
        named = " and ".join(dict.fromkeys(_of_pi(text) for _, text in filter(None, meant)))
        degrees = [rounded(found[0] if found else x) for x, found in zip(written, meant, strict=True)]
        shown = vector if angle.all_of else lambda values: number(values[0])
        edits = vector_edit(figures, angle.where, degrees) if angle.all_of else number_edit(figures, angle.where, degrees[0])
        yield Finding(
            "angle in radians",
            DOUBTFUL,
            angle.where,
            f"{key} = {shown(written)}: this is {named} in radians, but is read as degrees",
            f"It was probably entered in radians, which belong in {key.removesuffix('_deg')}",
            repair(f"{key} = {shown(degrees)}", edits),
        )


def _fraction(written: float) -> tuple[float, str] | None:
    """Degrees and words such as "pi/2" of a number that is a fraction of pi to its digits; None for others and for 0."""
    for below, most in ((2, MOST), (4, DIGITS), (6, DIGITS)):
        above = round(written * below / math.pi)
        if 0 < abs(above) <= 2 * below and abs(written - above * math.pi / below) < most:
            return 180.0 * above / below, as_fraction(above * math.pi / below) or ""
    return None


def _of_pi(text: str) -> str:
    return text.replace("*", "").replace("pi", "π").replace("-", "−")


def nearly_parallel(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """Angles that miss a multiple of 90° by the digits that were left off, such as 1.5708: one finding for all of them."""
    off = [(abs(missed), angle) for angle in figures.angles if LEAST < abs(missed := _missed(angle)) < MOST]
    if not off:
        return
    worst, first = max(off, key=lambda pair: pair[0])
    yield Finding(
        "axes nearly but not exactly parallel",
        NOTE,
        first.where,
        f"{len(off)} angle{'s miss' if len(off) > 1 else ' misses'} a multiple of 90° by up to {number(worst)} rad; "
        f"each moves the tool by up to {number(1e3 * worst * sizes.reach)} mm",
        "π/2 was rounded, for example to 1.5708; closed-form kinematics and formulas then find no parallel axes",
        repair(
            "use exact multiples of π/2",
            _exact(figures, [angle for _, angle in off]),
            certain=all(_is_rounded(angle.value) for _, angle in off),
        ),
    )


def _is_rounded(written: float) -> bool:
    """Whether it is a multiple of π/2 to as many digits as it has."""
    exact = RIGHT * round(written / RIGHT)
    return any(round(exact, digits) == written for digits in range(2, 16))


def _missed(angle: WrittenAngle) -> float:
    return 0.0 if angle.exact else float(angle.value - RIGHT * np.round(angle.value / RIGHT))


def _exact(figures: Figures, angles: list[WrittenAngle]) -> tuple[Edit, ...]:
    """All angles of a rotation stand in one value, so that each of these is written once."""
    edits: dict[tuple[str | int, ...], Edit] = {}
    for angle in angles:
        if angle.all_of:
            turns = [x - m if LEAST < abs(m := x - RIGHT * round(x / RIGHT)) < MOST else x for x in angle.all_of]
            found = tuple((key, _digits(text, turns)) for key, text in vector_edit(figures, angle.where, turns))
        else:
            found = _edits(figures, angle, angle.value - _missed(angle))
        edits |= {edit[0]: edit for edit in found}
    return tuple(edits.values())


def _digits(written: object, turns: list[float]) -> object:
    """As many digits as a double has: these are multiples of π."""
    return " ".join(repr(x) for x in turns) if isinstance(written, str) else turns
