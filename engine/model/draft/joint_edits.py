"""Joints inserted, removed and moved in the text of a robot file; named poses, parents and numbers in comments follow."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from armature.engine.errors import ModelError, shown
from armature.engine.model.body import PRISMATIC
from armature.engine.model.dh_table import STANDARD
from armature.engine.model.draft.draft_text import Change, Parts, changed_part, joint_places, with_blank_line, with_values
from armature.engine.model.draft.text_parts import INLINE, ROW, Part
from armature.engine.model.draft.written_places import Placed
from armature.engine.model.toml.robot_schema import IN_DEGREES, IN_RAD, MAX_JOINTS
from armature.engine.model.toml.written_values import in_degrees, number_of, plain

LENGTH, RADIUS, MASS = 0.25, 0.04, 2.0
Table = Mapping[str, Any]
_NUMBERED = re.compile(r"(\[\[joints]][ \t]*#[ \t]*)(\d+)\b")
_LINK = re.compile(r"link(\d+)")


def usual_joint(table: Mapping[str, Any], index: int) -> dict[str, Any]:
    """A revolute joint with a round bar of 0.25 m along x, ±180°; with masses where the other joints have some."""
    joints = table["joints"]
    row: dict[str, Any] = {}
    names = {joint.get("name") or f"joint{i + 1}" for i, joint in enumerate(joints)}
    if any("name" in joint for joint in joints):
        row["name"] = next(name for k in range(index + 1, len(joints) + 66) if (name := f"joint{k}") not in names)
    row |= {"type": "revolute", "theta": 0.0, "d": 0.0, "a": LENGTH, "alpha": 0.0, "limits_deg": [-180, 180]}
    return row | bar(str(table["convention"])) if joints and "mass" in joints[0] else row


def bar(convention: str) -> dict[str, Any]:
    """Mass, centre and inertia of a round bar from the joint to the next one.

    I_x = m r²/2,  I_y = I_z = m (3 r² + l²)/12.
    """
    centre = -LENGTH / 2 if convention == STANDARD else LENGTH / 2
    along, across = MASS * RADIUS**2 / 2, MASS * (3 * RADIUS**2 + LENGTH**2) / 12
    return {"mass": MASS, "com": [centre, 0.0, 0.0], "inertia": [round(x, 6) for x in (along, across, across)]}


def insert_joint(parts: Parts, table: Table, index: int, entry: Mapping[str, Any] | None) -> Parts:
    """Insert a joint before the one at `index`, or after the last; the default joint if `entry` is None."""
    n = len(table["joints"])
    if not isinstance(index, int) or not 0 <= index <= n:
        raise ModelError(f"joints: the index of a new joint must be 0 to {n}, got {index}")
    if n == MAX_JOINTS:
        raise ModelError(f"joints: the robot already has {n}, the maximum")
    row = plain(usual_joint(table, index) if entry is None else entry)
    if not isinstance(row, dict):
        raise ModelError(f"joints: a joint must be a table of keys and values, got {shown(row)}")
    parts = _with_parents(parts, table, lambda link: link if link < index else link + 1)
    parts = _with_poses(parts, table, lambda q, degrees: q.insert(index, _rest(row, degrees)))
    return _renumbered(_with_row(parts, index, row))


def remove_joint(parts: Parts, table: Table, index: int) -> Parts:
    """Remove one joint; children of its link are attached to the previous link."""
    joints = table["joints"]
    _check_index(index, len(joints))
    if len(joints) == 1:
        raise ModelError("joints: the only joint cannot be removed; an arm needs at least one")
    parts = _with_parents(parts, table, lambda link: link if link < index else link - 1, gone=index)
    parts = _with_heir(parts, joints, index)
    parts = _with_poses(parts, table, lambda q, _: q.pop(index))
    places = joint_places(parts)
    kept = list(parts)
    if index == len(joints) - 1 and parts[places[index]].kind == ROW:  # text after it remains after the previous joint
        kept[places[index - 1]] = _spaced_like(parts[places[index - 1]], parts[places[index]])
    del kept[places[index]]
    return _renumbered(tuple(kept))


def move_joint(parts: Parts, table: Table, index: int, to: int) -> Parts:
    """One joint taken out and put back as number `to`."""
    joints = table["joints"]
    n = len(joints)
    _check_index(index, n)
    _check_index(to, n)
    order = list(range(n))
    order.insert(to, order.pop(index))
    new = {old: k for k, old in enumerate(order)}
    parts = _with_parents(parts, table, lambda link: new[link])
    parts = _with_poses(parts, table, lambda q, _: q.insert(to, q.pop(index)))
    places = joint_places(parts)
    made = list(parts)
    for k, old in enumerate(order):
        made[places[k]] = _in_place(parts[places[old]], parts[places[k]], k == n - 1)
    return _renumbered(tuple(made))


def _in_place(part: Part, there: Part, last: bool) -> Part:
    """Move a joint to the place of another: blank lines remain, comments move along."""
    if part.kind == INLINE:
        return _with_comma(
            replace(part, lead=there.lead if not part.lead.strip() and not there.lead.strip() else part.lead), last
        )
    return part if part.tail.strip() or there.tail.strip() else _spaced_like(part, there)


def _spaced_like(part: Part, there: Part) -> Part:
    """The part with the empty lines behind it that another one has."""
    end = "" if part.core.endswith("\n") or (not there.tail and not there.core.endswith("\n")) else "\n"
    return replace(part, core=part.core + end, tail=there.tail)


def _with_comma(part: Part, last: bool) -> Part:
    return part if last or re.match(r"(?:\s|#[^\n]*\n)*,", part.tail) else replace(part, tail="," + part.tail)


def _with_row(parts: Parts, index: int, row: Mapping[str, Any]) -> Parts:
    """Insert a row with these keys at `index`, in the notation of its neighbours."""
    places, made = joint_places(parts), list(parts)
    changes: list[Change] = [((key,), value) for key, value in row.items() if value is not None]
    n = len(places)
    beside = parts[places[min(index, n - 1)]]
    if beside.kind == INLINE:
        if index == n:
            made[places[-1]] = _with_comma(made[places[-1]], False)
        one_line = not beside.tail.endswith("\n")
        new = changed_part(
            Part(INLINE, "joints", beside.lead if not beside.lead.strip() else "    ", "{}", ", " if one_line else ",\n"), changes
        )
        made.insert(places[index] if index < n else places[-1] + 1, new)
        return tuple(made)
    end = "\r\n" if "\r\n" in beside.core else "\n"
    width = max((len(key) for key in row), default=0)
    new = _headed(changed_part(Part(ROW, "joints", "", _skeleton(changes, width, end), end), changes), index, parts, places)
    if index == n:
        made[places[-1]] = with_blank_line(made[places[-1]], end)
        last = places[-1] == len(parts) - 1
        made.insert(places[-1] + 1, replace(new, tail="") if last else new)
    else:
        made.insert(places[index], new)
    return tuple(made)


def _skeleton(changes: list, width: int, end: str) -> str:
    """A header and keys in one column, to be filled in."""
    return f"[[joints]]{end}" + "".join(f"{key.ljust(width)} = ''{end}" for (key,), _ in changes)


def _headed(part: Part, index: int, parts: Parts, places: list[int]) -> Part:
    """The row with its number in the header where the others have theirs."""
    numbered = any(_NUMBERED.match(parts[k].core) for k in places)
    return replace(part, core=part.core.replace("[[joints]]", f"[[joints]]  # {index + 1}", 1)) if numbered else part


def _renumbered(parts: Parts) -> Parts:
    """Rows whose comment begins with their number have the new one: `[[joints]]  # 3: elbow`."""
    made = list(parts)
    for k, place in enumerate(joint_places(parts)):
        part = parts[place]
        match = _NUMBERED.match(part.core) if part.kind == ROW else None
        if match:
            made[place] = replace(part, core=f"{match[1]}{k + 1}{part.core[match.end() :]}")
    return tuple(made)


def _with_parents(parts: Parts, table: Table, new: Callable[[int], int], gone: int | None = None) -> Parts:
    """Give links their new number, from 0, in rows that name their parent, in the tool and in ignored contacts.

    Ignored contacts of link `gone` are removed.
    """
    changes: list[Placed] = []
    for i, joint in enumerate(table["joints"]):
        if match := _LINK.fullmatch(str(joint.get("parent", ""))):
            link = int(match[1]) - 1
            if new(link) != link:
                changes.append((("joints", i, "parent"), f"link{new(link) + 1}" if new(link) >= 0 else "base"))
    if match := _LINK.fullmatch(str(table.get("tool", {}).get("link", ""))):
        link = int(match[1]) - 1
        if new(link) != link:
            changes.append((("tool", "link"), f"link{max(new(link), 0) + 1}"))
    pairs = table.get("collision", {}).get("ignore", [])
    left = [pair for pair in pairs if gone is None or f"link{gone + 1}" not in pair]
    renamed = [[_LINK.sub(lambda match: f"link{new(int(match[1]) - 1) + 1}", name) for name in pair] for pair in left]
    if renamed != pairs:
        changes.append((("collision", "ignore"), renamed or None))
    return with_values(parts, changes)


def _with_heir(parts: Parts, joints: list[dict[str, Any]], index: int) -> Parts:
    """In a tree, attach the children of a removed row to its parent."""
    above = joints[index].get("parent")
    if above is None:
        return parts
    changes: list[Placed] = []
    for i, joint in enumerate(joints):
        if joint.get("parent") == f"link{index + 1}" or (i == index + 1 and "parent" not in joint):
            changes.append((("joints", i, "parent"), above))
    return with_values(parts, changes)


def _with_poses(parts: Parts, table: Table, change: Callable[[list, bool], Any]) -> Parts:
    """Every named pose changed in its list of values."""
    made = parts
    for kind in (IN_RAD, IN_DEGREES):
        for name, values in table.get(kind, {}).items():
            q = list(values)
            change(q, kind == IN_DEGREES)
            made = with_values(made, [((kind, name), q)])
    return made


def _rest(row: Mapping[str, Any], degrees: bool) -> float | int:
    """Return the position of a new joint in existing poses, 0 or the nearest limit: degrees if the poses are, else rad; or m."""
    given = row.get("limits_deg") or row.get("limits")
    if not isinstance(given, list) or len(given) != 2 or (row.get("type") == PRISMATIC and "limits" not in row):
        return 0 if degrees else 0.0
    low, high = (math.radians(x) if "limits_deg" in row else number_of(x) for x in given)
    rest = min(max(0.0, low), high)
    return in_degrees(rest) if degrees and row.get("type") != PRISMATIC else rest


def _check_index(index: int, n: int) -> None:
    if not isinstance(index, int) or not 0 <= index < n:
        raise ModelError(f"joints: no joint {index}; the robot has {n}, counted from 0")
