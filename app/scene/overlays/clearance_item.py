"""`ClearanceItem`: contacts of the arm in the pose that is shown, and the nearest pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.arm.drawn_pose import Pose
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.gl import palette
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.line_batch import LineBatch, lines
from armature.app.scene.labels.label import Label, LabelGroup
from armature.app.scene.surroundings.cell_item import CellItem
from armature.app.state.units import number
from armature.engine import CellObject, Robot
from armature.engine.model.skeleton import Skeleton

if TYPE_CHECKING:
    from armature.engine.contact.collision import Collision, Contact
    from armature.engine.contact.contact_model import ContactModel

FRONT = 0.01  # the part of the depths that is nearest to the eye: the arm does not hide the line
_ARROW, _BARB = 60.0, 9.0  # of the normal, in logical pixels
_CROSS = 5.0  # half the width of an end mark, in logical pixels
_INKS = palette.WARNING_TEXT


@dataclass(frozen=True, eq=False)
class ShownContacts:
    """Contact model of the arm with every pair that is tested, and with the pairs whose distance is worth showing."""

    tested: ContactModel
    shown: ContactModel


def shown_contacts(robot: Robot, objects: tuple[CellObject, ...] = ()) -> ShownContacts:
    """Return the contact models of a robot among objects; takes some tenths of a second, or longer where meshes are read."""
    from armature.engine.contact.arm_contacts import arm_contacts  # numba: not while a window opens

    tested, near = arm_contacts(robot, objects), arm_contacts(robot, objects, near=True)
    return ShownContacts(tested, near if len(near.pairs) else tested)


class ClearanceItem(PoseItem):
    """Colours links and objects that touch, reports the deepest contact as a pill, and draws the nearest pair as a line.

    `shows_line`: whether the line is drawn; contacts are always shown. `stop`: the pose `(n,)` in which a drag ended, and why.
    """

    def __init__(self, arm: ArmItem, cell: CellItem):
        super().__init__(depth=33)
        self.shows_line = False
        self.nearest: Contact | None = None
        self.stop: tuple[np.ndarray, str] | None = None
        self._arm, self._cell = arm, cell
        self._contacts: ShownContacts | None = None
        self._report: tuple[Pose | None, Collision | None] = (None, None)
        self._touches = False
        self.marked: Contact | None = None  # by the pointer
        self.ahead: Contact | None = None  # of a ghost
        self._pills: list[Label] = []
        self._labels: list[Label] = []

    def set_robot(self, robot: Robot, bones: Skeleton) -> None:
        self.set_contacts(None)

    def set_contacts(self, contacts: ShownContacts | None) -> None:
        """Test the arm with this model from now on; None: no longer."""
        self._contacts, self.stop = contacts, None
        self._report, self._touches, self.nearest, self.marked = (None, None), False, None, None
        self._arm.set_colliding(frozenset())
        self._cell.set_warned(frozenset())
        self.follow_again()
        self.write_again()

    @property
    def tested(self) -> ContactModel | None:
        """Contact model with every pair that is tested; None before it is known."""
        return None if self._contacts is None else self._contacts.tested

    def follow(self, pose: Pose) -> None:
        if self._contacts is None:
            return
        from armature.engine.contact.collision import pair_contact, touching_pairs  # numba: not while a window opens

        tested, q = self._contacts.tested, np.ascontiguousarray(pose.q)
        touching = touching_pairs(tested, q)
        self._touches = len(touching) > 0
        groups = [tested.groups[k] for k in chain(*tested.pairs[touching])]
        links = tested.robot.links
        self._arm.set_colliding(frozenset(group.body + 1 for group in groups if group.name in links))
        self._cell.set_warned(frozenset(group.name for group in groups if group.body < 0 and group.name not in links))
        self.nearest = pair_contact(tested if self._touches else self._contacts.shown, q)

    def near(self, margin: float) -> tuple[Contact, ...]:
        """Pairs that touch in the pose that is shown, the deepest first; without contact the pairs at most `margin` m apart."""
        from armature.engine.contact.collision import near_contacts  # numba: not while a window opens

        if self._contacts is None or self._followed is None or self.nearest is None:
            return ()
        q = np.ascontiguousarray(self._followed.q)
        if self._touches:
            return near_contacts(self._contacts.tested, q)
        return near_contacts(self._contacts.shown, q, max(margin, self.nearest.distance))

    @property
    def report(self) -> Collision | None:
        """Contacts of the pose whose numbers are shown; None without a model."""
        from armature.engine.contact.collision import pose_collision  # numba: not while a window opens

        pose = self._told
        if pose is not self._report[0] and self._contacts is not None and pose is not None:
            self._report = pose, pose_collision(self._contacts.tested, np.ascontiguousarray(pose.q))
        return self._report[1] if self._contacts is not None else None

    def point_out(self, names: set[str]) -> str:
        """Mark points and normal of the deepest contact of one of these links or objects, without contact of the nearest pair if
        its line is drawn; return the caption of the mark, "" for none."""
        report = self.report if self._touches else None
        pairs = report.pairs if report is not None else (self.nearest,) if self.nearest is not None and self.shows_line else ()
        self.marked = next((one for one in pairs if not names.isdisjoint(one.pair)), None)
        return "" if self.marked is None else self.marked.caption

    def drawn_by(self) -> tuple | None:
        return None if self._draws_line or self._marks else ()

    @property
    def _draws_line(self) -> bool:
        return self.shows_line and self.nearest is not None

    @property
    def _marks(self) -> list[Contact]:
        """Pairs whose points and normal are drawn: the one under the pointer, else the deepest contact; and that of a ghost."""
        one = self.marked or (self.nearest if self._touches else None)
        return [contact for contact in (one, self.ahead) if contact is not None]

    def draw(self, frame: FrameState) -> None:
        starts, ends, marks = list[np.ndarray](), list[np.ndarray](), list[np.ndarray]()
        right, up = frame.camera.axes()[:2]
        if self.shows_line and self.nearest is not None:
            marks += [*self.nearest.points]
            starts, ends = marks[:1], marks[1:]
        for contact in self._marks:
            foot, normal = contact.points[1], contact.normal
            pixel, across = frame.camera.metres_per_pixel(foot), np.cross(normal, np.cross(right, up))
            tip = foot + _ARROW * pixel * normal
            starts += [foot, tip, tip]
            ends += [tip, *(tip + _BARB * pixel * (side * across - normal) for side in (-0.5, 0.5))]
            marks += [*contact.points]
        if not marks:
            return
        touches = self._touches or self.ahead is not None
        colour = frame.theme.text if touches else palette.CLEARANCE[frame.theme is palette.DARK]
        for point in marks:
            reach = _CROSS * frame.camera.metres_per_pixel(point)
            for way in (right, up):
                starts.append(point - reach * way)
                ends.append(point + reach * way)
        records = lines(starts, ends, [colour] * len(starts), width=2.5)
        self.held("lines", LineBatch).draw_in_front(frame, records, FRONT)

    def labels(self, frame: FrameState) -> Sequence[Label]:
        """Distance of the nearest pair, next to its line."""
        if not self.shows_line or self.nearest is None:
            return []
        colour = _INKS[frame.theme is palette.DARK][2] if self._touches else frame.theme.text
        if not self._labels or self._labels[0].colour != colour:
            self._labels = [Label("", colour, np.zeros(3), (0.0, 18.0), rank=-1, plain=True)]
        return LabelGroup(self._labels, self.nearest.points.mean(axis=0)[None], self.figures(self._text))

    def _text(self, _: Pose) -> list[str]:
        factor, unit = self.units.factor(prismatic=True), self.units.symbol(prismatic=True)
        distance = np.inf if self.nearest is None else self.nearest.distance
        return [f"{number(distance * factor, 0 if unit == 'mm' else 3)} {unit}"]

    def pills(self, frame: FrameState) -> list[Label]:
        """The deepest contact and the joint motion that ends it, or why a drag ended here, at the top of the view."""
        report, pose, stop = self.report if self._touches else None, self._pose, self.stop
        if report is not None and report.colliding:
            text = report.explanation
        elif stop is not None and pose is not None and np.array_equal(pose.q, stop[0]):
            text = stop[1]
        else:
            self._pills = []
            return self._pills
        ink = _INKS[frame.theme is palette.DARK][2]
        if not self._pills or (self._pills[0].text, self._pills[0].colour) != (text, ink):
            self._pills = [Label(text, ink, np.zeros(3), pill=True)]
        return self._pills
