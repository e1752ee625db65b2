"""`RobotDraft`: a robot file that is being edited."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from armature.engine.errors import LARGEST, ModelError, one_line
from armature.engine.model.draft import conversion, draft_text, joint_edits, link_bodies
from armature.engine.model.draft.draft_files import hash_on_disk, led_to, with_meshes_from, write_draft
from armature.engine.model.draft.draft_text import Parts, with_values
from armature.engine.model.draft.link_bodies import Shape
from armature.engine.model.draft.text_parts import split
from armature.engine.model.draft.written_places import Where, check_place, needed_changes, value_in_unit
from armature.engine.model.file_bytes import Unreadable
from armature.engine.model.frozen import Frozen
from armature.engine.model.robot import Robot
from armature.engine.model.toml.robot_file import complaint, robot_of_bytes
from armature.engine.model.toml.written_values import plain


@dataclass(frozen=True, eq=False)
class RobotDraft(Frozen):
    """Immutable state of a robot file that is edited; each edit returns a new draft.

    The previous draft still has the previous text, exactly. `text` is TOML that `load_robot` can read and `robot` the arm it
    describes; `table` has the same content as plain values; `path` is the file it was read from or saved to, None without one;
    `saved_text` the text as last read, created or saved; `disk_hash` the SHA-256 of the file's bytes when it was read or saved,
    "" without a file.
    """

    text: str
    robot: Robot
    table: Mapping[str, Any]
    path: Path | None = None
    saved_text: str = ""
    disk_hash: str = ""

    @property
    def changed(self) -> bool:
        """Whether the text differs from the text last read or saved."""
        return self.text != self.saved_text

    @cached_property
    def _parts(self) -> Parts:
        return split(self.text)

    def value(self, where: Where) -> Any:
        """Return the value at a place of the file, in the unit of the key `where`; None if the file has no value there.

        Args:
            where: keys and indices, such as `("joints", 2, "alpha")` for rad or `("joints", 2, "alpha_deg")` for degrees,
                whichever of the two keys the file has.
        """
        return plain(value_in_unit(self.table, tuple(where)))

    def with_value(self, where: Where, value: Any) -> RobotDraft:
        """Return the draft with one value set and the rest of the text unchanged.

        Args:
            where: keys and indices, such as `("name",)`, `("joints", 2, "a")`, `("base", "xyz")`, `("configurations", "home",
                0)`; angles in rad, those under a key that ends in _deg in degrees; joints from 0. If the file has the angle
                under the other key, or a rotation as matrix or quaternion, this notation is retained.
            value: a number, text, array or table; None removes the key.

        Raises:
            ModelError: a value that is not valid; the message names the field, the reason and the valid values.
        """
        where, value = check_place(self.table, where), plain(value)
        return self._with(with_values(self._parts, needed_changes(self.table, where, value)))

    def with_joint(self, index: int, entry: Mapping[str, Any] | None = None) -> RobotDraft:
        """Return the draft with a new joint before joint `index`, counted from 0, or after the last one for index n.

        Args:
            index: 0 to n.
            entry: keys and values of its row as in a robot file; None: a revolute joint with a link of 0.25 m.

        Raises:
            ModelError: invalid index, or invalid row.
        """
        return self._with(joint_edits.insert_joint(self._parts, self.table, index, entry))

    def without_joint(self, index: int) -> RobotDraft:
        """Return the draft without joint `index`, counted from 0, and without its value in every named pose.

        Raises ModelError for an invalid index, or if the arm has no other joint.
        """
        return self._with(joint_edits.remove_joint(self._parts, self.table, index))

    def with_joint_moved(self, index: int, to: int) -> RobotDraft:
        """Return the draft with joint `index` moved, so that its index becomes `to`, both from 0; named poses are reordered too.

        Raises ModelError for an invalid index.
        """
        return self if index == to else self._with(joint_edits.move_joint(self._parts, self.table, index, to))

    def converted(self, convention: str) -> RobotDraft:
        """Return the draft of the same arm in another DH convention; poses agree to 1e-12 m and rad.

        Args:
            convention: "standard" or "modified" Denavit–Hartenberg.

        Raises:
            ModelError: unknown convention, or a table with branches.
        """
        same = convention == self.table["convention"]
        return self if same else self._with(conversion.convert(self._parts, self.table, self.robot, convention))

    def with_body(
        self, index: int, shape: Shape, density: float | None = None, mass: float | None = None, X_LS: np.ndarray | None = None
    ) -> RobotDraft:
        """Return the draft with mass, centre of mass and inertia of one link computed from a shape, rounded to nine digits.

        Args:
            index: joint that moves the link, counted from 0. If no link has a mass yet, the other links receive mass 0.
            shape: such as `Shape("tube", length=0.4, diameter=0.1, wall=0.006)`, in m, with `Shape` from
                `armature.engine.model.draft.link_bodies`: a "cylinder", "tube", "box" or "sphere", its length along z.
            density: kg/m³; `MATERIALS["aluminium"]` and others are in the same module. None if `mass` is given.
            mass: kg; None if `density` is given.
            X_LS: 4×4 pose of the shape in the frame of the link; None: in the middle of the link, along it.

        Raises:
            ModelError: invalid joint, neither or both of density and mass, or a value that is not above 0.
        """
        given = [value for value in (density, mass) if value is not None]
        if len(given) != 1 or not isinstance(given[0], (int, float)) or not 0 < given[0] <= LARGEST:
            raise ModelError(f"joints[{index}]: give either a density in kg/m³ or a mass in kg, above 0")
        kilograms = shape.volume * density if density is not None else given[0]
        return self._with(link_bodies.with_shape(self._parts, self.table, self.robot, index, shape, kilograms, X_LS))

    def line_of(self, where: Where) -> int:
        """Return the number of the line, from 1, in which a value is written; if it is not given, the line of its table.

        `where`: keys and indices, as in `value`; the notation, such as "alpha" or "alpha_deg", does not matter.
        """
        return draft_text.line_of(self._parts, self.table, tuple(where))

    def changed_on_disk(self) -> bool:
        """Whether the file has changed since it was read or saved, or no longer exists; False for a draft without a file."""
        return self.path is not None and self.disk_hash != "" and hash_on_disk(self.path) != self.disk_hash

    def saved_as(self, path: str | os.PathLike[str], overwrite: bool = False) -> RobotDraft:
        """Write the text to a file (`.toml`) atomically and return the draft of this file.

        In a new folder, paths of meshes in or next to the previous folder become relative to the new one, others absolute.

        Args:
            path: file to write, the draft's own file or another one.
            overwrite: whether to replace a file that this draft was not read from, or that has changed since.

        Raises:
            ModelError: a file included with Armature, another suffix, or a file that cannot be written. If `overwrite` is False
                and the file exists, but this draft was not read from it or it has changed since: the subclass `FileChangedError`
                of `armature.engine.model.draft.draft_files`, whose `path` is the file.
        """
        place = Path(path)
        own = self.path is not None and led_to(place) == led_to(self.path)
        there = self if own else self._with(with_meshes_from(self._parts, self.table, self.path, place.parent))
        disk_hash = write_draft(there.text, place, self.disk_hash if own else "", overwrite)
        robot = replace(self.robot, source=place)
        return replace(there, robot=robot, path=place, saved_text=there.text, disk_hash=disk_hash)

    def _with(self, parts: Parts) -> RobotDraft:
        text = "".join(part.text for part in parts)
        if text == self.text:
            return self
        return replace(draft_of_text(text, self.path), saved_text=self.saved_text, disk_hash=self.disk_hash)


def draft_of_text(text: str, path: Path | None) -> RobotDraft:
    """Draft of a text that counts as saved. Raises ModelError with field, reason and valid values, without a file."""
    data = text.encode()
    try:
        table, robot = robot_of_bytes(data, path)
    except ValidationError as error:
        raise ModelError(one_line(complaint(error), 700)) from None
    except Unreadable as error:
        raise ModelError(one_line(f"the robot file {error}", 700)) from None
    return RobotDraft(text, robot, table, path, text)
