"""Rule: a home where the arm cannot be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from armature.engine.examination.figures import Figures
from armature.engine.examination.finding import DOUBTFUL, Finding, Place
from armature.engine.examination.sizes import Sizes
from armature.engine.examination.wording import number
from armature.engine.model.link_outline import link_outline
from armature.engine.model.placed_bodies import placed_bodies


def below_floor(figures: Figures, sizes: Sizes) -> Iterator[Finding]:
    """The links at home beside the floor that the arm stands on."""
    robot = figures.robot
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
        Place(figures.whole.part, figures.whole.file, None, ("configurations", "home")),
        f"{', '.join(names[:1])} is {number(deep)} m below the floor at z = {number(robot.floor)} m",
        "The height of the base or floor is wrong, or home belongs to another robot",
    )
