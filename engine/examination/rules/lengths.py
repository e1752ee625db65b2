"""Rules for lengths, shapes, gravity and the home pose."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from armature.engine.examination.finding import DOUBTFUL, ERROR, Edit, Finding, Place, number, vector
from armature.engine.examination.parameters import URDF, Parameters, WrittenLength, WrittenShape, deeper
from armature.engine.examination.repairs import number_edit, repair, vector_edit
from armature.engine.examination.sizes import LONGEST, Sizes
from armature.engine.model.link_outline import link_outline
from armature.engine.model.placed_bodies import placed_bodies

FEW, MANY = 3, 6  # least lengths to compare; most lengths that a finding lists
GAP, SUM = 6.0, 2.0  # over the next shorter length, and over the sum of all shorter ones; real arms have up to 4 and 2.4
LEAST_ARM = 0.05  # m, sum of all lengths of the smallest arm
LEAST = 1.0  # m; a small arm can have one link and two offsets of a tenth of its length
_UNITS = ((1e-3, "mm", "millimetres"), (1e-2, "cm", "centimetres"))
_MISTAKES = ((1e-3, "in mm"), (1e-2, "in cm"), (0.1, "with its decimal point off by one place"))
LARGE = 5.0  # reaches, largest length of a shape above 1 m


def table_lengths(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report most lengths of the arm in another unit in one finding, with one factor."""
    lengths, whole = whole_table(parameters), parameters.whole
    if not lengths:
        return
    total = sum(length.size for length in lengths)
    factor, unit, name = _unit(total)
    listed = ", ".join(number(length.size) for length in lengths[:MANY]) + ", …" * (len(lengths) > MANY)
    wild = max(length.size for length in lengths) > LONGEST
    yield Finding(
        f"lengths in {name}",
        ERROR if wild else DOUBTFUL,
        Place(whole.part, whole.file, lengths[0].where.line, lengths[0].where.key),
        f"{len(lengths)} lengths are {listed} m, which makes the arm {number(total)} m long",
        f"They were probably entered in {unit}: the arm is then {number(factor * total)} m long",
        repair(
            f"multiply all lengths by {number(factor)}: the arm is then {number(factor * total)} m long",
            tuple(edit for length in lengths for edit in _scaled(parameters, length, factor)),
            certain=wild and sum(LEAST_ARM < unit * total < LONGEST for unit, _, _ in _UNITS) == 1,
        ),
    )


def lengths_above_others(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report single lengths too large for any arm, or far above the others of this arm."""
    told = {length.where.key for length in whole_table(parameters)}
    others, far = _apart(parameters)
    wild = [length for length in _once(parameters.lengths) if max(map(abs, length.all_of or (length.value,))) > LONGEST]
    for length in [*far, *(one for one in wild if one.where.key not in {other.where.key for other in far})]:
        if length.where.key in told:
            continue
        sound = [other.size for other in others if other.where.key != length.where.key and other.size <= LONGEST]
        fits = [row for row in _MISTAKES if _suits(row[0] * length.size, sound)]
        only = length in wild and len(fits) == 1
        if not fits and length in wild:
            fits = [_MISTAKES[0]]
        factor = fits[0][0] if len(fits) == 1 else 0.0
        beside = f"; the others are {number(max(sound))} m at most" if sound else ""
        ways = " or ".join(f"{words} ({number(k * length.size)} m)" for k, words in fits)
        yield Finding(
            "length in millimetres" if factor == _MISTAKES[0][0] else "length far above the others",
            ERROR if length in wild else DOUBTFUL,
            length.where,
            _shown(length, 1.0) + beside,
            f"It was probably entered {ways}" if ways else "The length is that of another part, or the unit is wrong",
            repair(_shown(length, factor).split(" = ")[-1], _scaled(parameters, length, factor), only) if factor else None,
        )


def whole_table(parameters: Parameters) -> list[WrittenLength]:
    """Return the lengths that are all in another unit: most of the arm's lengths, with too large a sum; else none."""
    others, far = _apart(parameters)
    arm = [*others, *far]
    most = far if 2 * len(far) > len(arm) else arm if not far else []
    total = sum(length.size for length in most)
    if len(most) < 2 or total <= LONGEST:
        return []
    longest = _unit(total)[0] * max(length.size for length in most)  # of the corrected arm
    together = {length.where.key for length in arm if length in most or length.size > 2 * longest}
    return [length for length in _once(parameters.lengths) if length.where.key in together]


def _unit(total: float) -> tuple[float, str, str]:
    """Return the unit in which the sum of lengths is nearest to 1 m."""
    return min(_UNITS, key=lambda row: abs(math.log(row[0] * total)))


def _apart(parameters: Parameters) -> tuple[list[WrittenLength], list[WrittenLength]]:
    """Split the lengths into a consistent group and those far above it; the second list is empty without a gap."""
    lengths = sorted((length for length in _once(parameters.lengths) if length.of_arm and length.size > 0), key=lambda x: x.size)
    for k in range(len(lengths) - 1, 0, -1):
        below = [length.size for length in lengths[:k]]
        some = len(lengths) >= FEW and 2 * k > len(lengths)
        if (some or sum(length.size for length in lengths[k:]) > LONGEST) and lengths[k].size > max(
            GAP * below[-1], SUM * sum(below), LEAST
        ):
            return lengths[:k], lengths[k:]
    return lengths, []


def _once(lengths: Sequence[WrittenLength]) -> list[WrittenLength]:
    """Return each value of the file once, also of offsets."""
    return list({length.where.key: length for length in lengths}.values())


def _suits(length: float, others: list[float]) -> bool:
    """True if a length is plausible for an arm with these other lengths."""
    return bool(others) and float(np.median(others)) / 50 <= length <= 2 * max(others)


def _shown(length: WrittenLength, factor: float) -> str:
    if length.all_of:
        return f"{vector([factor * x for x in length.all_of])} m"
    return f"{length.where.key[-1]} = {number(factor * length.value)} m"


def _scaled(parameters: Parameters, length: WrittenLength, factor: float) -> tuple[Edit, ...]:
    if length.all_of:
        return vector_edit(parameters, length.where, [factor * x for x in length.all_of])
    return number_edit(parameters, length.where, factor * length.value)


def shape_lengths(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report shapes many times larger than the arm."""
    for written in parameters.shapes:
        if written.points is None or not len(written.points):
            continue
        size = float(np.ptp(written.points, axis=0).max())
        if size <= max(1.0, LARGE * sizes.reach):
            continue
        small = 1e-3 * size < 3 * sizes.reach
        wild = size > 20 * max(1.0, sizes.reach)
        yield Finding(
            "shape larger than the arm",
            ERROR if wild else DOUBTFUL,
            written.where,
            f"a {written.shape.shape} {number(size)} m long on an arm of {number(sizes.reach)} m",
            "It is in mm" if wild and small else "It belongs to the surroundings, or the unit is wrong",
            repair("divide the size by 1000", _thousandth(parameters, written), 1e-2 * size > LARGE * sizes.reach)
            if wild and small
            else None,
        )


def _thousandth(parameters: Parameters, written: WrittenShape) -> tuple[Edit, ...]:
    if parameters.kind != URDF:
        return ()
    shape, where = written.shape, written.where
    if shape.shape == "mesh":
        return vector_edit(parameters, deeper(where, "scale"), [1e-3 * x for x in shape.size])
    if shape.shape == "box":
        return vector_edit(parameters, deeper(where, "size"), [1e-3 * x for x in shape.size])
    keys = ("radius",) if shape.shape == "sphere" else ("radius", "length")
    return tuple(
        edit for key, x in zip(keys, shape.size, strict=True) for edit in number_edit(parameters, deeper(where, key), 1e-3 * x)
    )


STRONGEST = 30.0  # m/s²; Jupiter has 24.8, the most of all planets
_GRAVITY_UNITS = ((1e-3, "mm/s²"), (1e-2, "cm/s²"))
UP = 0.5  # upward fraction of gravity, above that of a tilted base


def gravity_unlike_earth(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report gravity in the world frame that is stronger than on any planet, or that points up."""
    g = parameters.robot.gravity
    size = float(np.linalg.norm(g))
    where = Place(parameters.whole.part, parameters.whole.file, None, ("gravity",))
    factor, unit = next(((k, unit) for k, unit in _GRAVITY_UNITS if size > STRONGEST and 1.0 < k * size < STRONGEST), (1.0, ""))
    up = bool(g[2] > UP * size > 0)
    figure = f"{vector(g)} m/s²; on Earth it is [0, 0, −9.81]"
    if size > STRONGEST:
        sound = factor * np.array([1.0, 1.0, -1.0 if up else 1.0]) * g
        why = f"It was probably entered in {unit}" if unit else "The unit is wrong"
        mend = repair(f"{vector(sound)} m/s²", vector_edit(parameters, where, sound)) if unit else None
        yield Finding("gravity too strong", DOUBTFUL, where, f"{number(size)} m/s²: {figure}", why, mend)
    elif up:
        down = g * [1.0, 1.0, -1.0]
        why = "The minus sign is missing: this vector is the acceleration of free fall. To hang the arm, rotate its [base]"
        yield Finding(
            "gravity points up",
            DOUBTFUL,
            where,
            figure,
            why,
            repair(f"{vector(down)} m/s²", vector_edit(parameters, where, down)),
        )


def home_below_floor(parameters: Parameters, sizes: Sizes) -> Iterator[Finding]:
    """Report links below the floor at home."""
    robot = parameters.robot
    outline = link_outline(robot)
    if robot.floor is None or not len(outline.bodies):
        return
    X = placed_bodies(robot, robot.configurations["home"][None])[:, 0]
    heights = np.einsum("ij,ij->i", X[outline.bodies, 2, :3], outline.points) + X[outline.bodies, 2, 3] - outline.radii
    deep = robot.floor - float(heights.min())
    if deep <= 1e-3 * sizes.reach:
        return
    names = [name for name, frame in robot.links.items() if frame.body == outline.bodies[int(heights.argmin())]]
    yield Finding(
        "home below the floor",
        DOUBTFUL,
        Place(parameters.whole.part, parameters.whole.file, None, ("configurations", "home")),
        f"{', '.join(names[:1])} is {number(deep)} m below the floor at z = {number(robot.floor)} m",
        "The height of the base or floor is wrong, or the home pose is that of another robot",
    )
