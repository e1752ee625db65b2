"""`Robot`: what an arm is. Frozen; every change makes a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from armature.engine.errors import ModelError, UnknownFrameError, one_line
from armature.engine.model.body import PRISMATIC, Body, Frame, Friction
from armature.engine.model.checked_figures import floor_height, friction_figures, payload_figures, tool_pose, vector
from armature.engine.model.coupling import Coupling
from armature.engine.model.dh_table import DHTable
from armature.engine.model.frozen import Frozen, read_only_table
from armature.engine.model.packed_model import WIDTH, pack
from armature.engine.model.payload import Payload
from armature.engine.model.read_only import read_only
from armature.engine.model.tool_limits import ToolLimits
from armature.engine.model.visual import Visual

TASK_AXES = ("x", "y", "z", "rx", "ry", "rz")
TASK_FRAMES = ("world", "base", "arm", "tool")
"""Frames whose axes a task may use; "arm" are the axes of the base rotated with the first joint."""

# No q fits a model of no rows, so compiled entry points hand arms with mimic joints back to their callers.
_NOT_PACKED = read_only(np.empty((0, WIDTH)))


@dataclass(frozen=True, eq=False)
class Robot(Frozen):
    """Robot arm as a tree of bodies with named frames on them.

    `name` and `joint_names`: names; `bodies`: the bodies, each with parent, joint, mass and inertia. Limits of the joints `(n,)`,
    ±inf where unlimited: `q_min`, `q_max` rad or m; `qd_max` rad/s or m/s; `qdd_max` rad/s² or m/s²; `tau_max` N·m or N. `links`
    and `frames` map names to frames on bodies (`links`: the frame of each link, base first; `frames`: these, "world" and the
    tools); `tool`: name of the default frame; `base`: 4×4 pose of the base in the world. `gravity` `(3,)`: acceleration of free
    fall in world axes, m/s². `configurations`: named poses `(n,)`, rad or m, such as "home". `task`: the task coordinates;
    `task_axes`: their axes, "world", "base", "arm" or "tool"; `task_named`: whether the file names them; `tool_limits`: the
    file's limits of the tool along lines and arcs. `has_dynamics`: whether the file has masses. `title`: displayed name, `name`
    if the file gives none; `group`: "textbook", "industrial" or ""; `sources`: the references for its parameters; `remarks`:
    remarks on the file; `floor`: height of the floor in m along the z axis of the world, None without one; `flange`: the link
    that carries the tools (the last one when empty); `fingers`: names of the gripper's finger joints, including mimic joints;
    `link_parents`: the parent of each link, where bodies have several links; `visuals` and `collisions`: the shapes of the links;
    `ignored_contacts`: pairs of links, or of a link and "floor", whose contact does not count; `dh`: the DH table of the file, if
    any; `file_hash`: SHA-256 of its file, `companion_hash` of the companion file; `changes`: the changes by `with_payload` and
    similar methods, as plain data.

    Joint i carries body i, except for mimic joints: then `coupling` describes them, n counts only the independent joints,
    and `tree` is the same robot with every joint independent.
    """

    name: str
    bodies: tuple[Body, ...]
    joint_names: tuple[str, ...]
    links: Mapping[str, Frame]
    frames: Mapping[str, Frame]
    tool: str
    q_min: np.ndarray
    q_max: np.ndarray
    qd_max: np.ndarray
    tau_max: np.ndarray
    gravity: np.ndarray
    configurations: Mapping[str, np.ndarray]
    task: tuple[str, ...] = TASK_AXES
    task_axes: str = "world"
    task_named: bool = False
    has_dynamics: bool = True
    base: np.ndarray = field(default_factory=lambda: np.eye(4))
    floor: float | None = None
    dh: DHTable | None = None
    source: Path | None = None
    title: str = ""
    group: str = ""
    description: str = ""
    sources: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    flange: str = ""
    fingers: tuple[str, ...] = ()
    link_parents: Mapping[str, str] = field(default_factory=dict)
    coupling: Coupling | None = None
    file_hash: str = ""
    companion_hash: str = ""
    changes: tuple[Mapping[str, Any], ...] = ()
    tool_limits: ToolLimits = field(default_factory=ToolLimits)
    qdd_max: np.ndarray = field(default_factory=lambda: np.empty(0))
    visuals: tuple[Visual, ...] = field(default=(), repr=False)
    collisions: tuple[Visual, ...] = field(default=(), repr=False)
    ignored_contacts: tuple[tuple[str, str], ...] = ()

    def __post_init__(self):
        values: dict[str, Any] = vars(self)
        values.update(title=self.title or self.name, qdd_max=self.qdd_max if len(self.qdd_max) else np.full(self.n, np.inf))
        for name in ("q_min", "q_max", "qd_max", "qdd_max", "tau_max", "gravity", "base"):
            values[name] = read_only(values[name])
        frames = {name: self._on_its_link(name, frame) for name, frame in self.frames.items()}
        links = {name: frames.get(name, frame) for name, frame in self.links.items()}
        poses = {key: read_only(q) for key, q in self.configurations.items()}
        poses.setdefault("zero", read_only(np.zeros(self.n)))
        poses.setdefault("home", read_only(np.clip(np.zeros(self.n), self.q_min, self.q_max)))
        tables = {"links": links, "frames": frames, "link_parents": self.link_parents, "configurations": poses}
        values.update({name: read_only_table(table) for name, table in tables.items()})
        values["packed"] = pack(self.bodies, self.gravity, self.q_min, self.q_max) if self.coupling is None else _NOT_PACKED

    packed: np.ndarray = field(init=False, repr=False)

    def _on_its_link(self, name: str, frame: Frame) -> Frame:
        """The frame with the link that it is fixed to: itself, the flange, or the last link of its body."""
        carriers = [link for link, other in self.links.items() if other.body == frame.body]
        preferred = [link for link in (name, self.flange) if link in carriers]
        link = (preferred or carriers[-1:] or [""])[0]
        return frame if frame.link == link else replace(frame, link=link)

    @cached_property
    def n(self) -> int:
        """Number of joints, without mimic joints."""
        return len(self.joint_names)

    @cached_property
    def joint_types(self) -> tuple[str, ...]:
        """Type of each joint, "revolute" or "prismatic"."""
        return tuple(self.bodies[i].joint_type for i in self.joint_bodies)

    @cached_property
    def prismatic(self) -> np.ndarray:
        """Prismatic joints, `(n,)` bool."""
        return read_only([kind == PRISMATIC for kind in self.joint_types], dtype=bool)

    @cached_property
    def joint_bodies(self) -> tuple[int, ...]:
        """Index of the body that each joint carries."""
        return tuple(range(self.n)) if self.coupling is None else tuple(int(i) for i in self.coupling.own)

    @cached_property
    def body_joints(self) -> tuple[int, ...]:
        """Index of the joint that moves each body relative to its parent; for a mimic joint, the index of its master."""
        return tuple(range(self.n)) if self.coupling is None else tuple(int(i) for i in self.coupling.driver)

    def moving_joints(self, frame: Frame) -> tuple[int, ...]:
        """Return the 0-based indices, in q, of the joints that move a frame; a mimic joint counts as its master."""
        return tuple(sorted({self.body_joints[i] for i in self.chain(frame)}))

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Names of joints by group: "gripper" for finger joints, "arm" for joints that move the flange, "rest" for all others."""
        flange = self.frames[self.flange or self.link_names[-1]]
        arm = {self.joint_names[i] for i in self.moving_joints(flange)} - set(self.fingers)
        parts = {name: "gripper" if name in self.fingers else "arm" if name in arm else "rest" for name in self.joint_names}
        found = {part: tuple(name for name in parts if parts[name] == part) for part in ("arm", "gripper", "rest")}
        return MappingProxyType({part: names for part, names in found.items() if names})

    @cached_property
    def task_text(self) -> str:
        """Task as text, such as "x, y, z" or "x, y, z, ry along the arm's axes"."""
        return ", ".join(self.task) + ("" if self.task_axes == "world" else f" along the {self.task_axes}'s axes")

    @cached_property
    def task_reason(self) -> str:
        """Reason why the task has more coordinates than joints move the tool (the file names no task); "" otherwise."""
        count = len(self.moving_joints(self.tool_frame))
        chosen = self.task_named or self.task != TASK_AXES or not 0 < count < len(TASK_AXES)
        return "" if chosen else "all six coordinates, because no task is given"

    @cached_property
    def tree(self) -> Robot:
        """Robot with every mimic joint made independent, one joint per body; the robot itself without mimic joints."""
        if self.coupling is None:
            return self
        low, high = self.coupling.ranges(self.q_min, self.q_max)
        free = np.full(len(self.bodies), np.inf)
        limits: dict[str, Any] = {"q_min": low, "q_max": high, "qd_max": free, "qdd_max": free, "tau_max": free}
        return replace(self, coupling=None, joint_names=self.coupling.names, configurations={}, **limits)

    @cached_property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links, base first."""
        return tuple(self.links)

    @cached_property
    def link_table(self) -> tuple[np.ndarray, np.ndarray]:
        """Body index `(n_links,)` and pose X_BL `(n_links, 4, 4)` of every link frame, as kernels read them."""
        return read_only([f.body for f in self.links.values()], np.int64), read_only([f.X_BF for f in self.links.values()])

    @cached_property
    def reach(self) -> float:
        """Upper bound of the tool's distance from joint 1 in m, with prismatic joints fully extended."""
        tool, tree = self.frames[self.tool], self.tree
        total, i = float(np.linalg.norm(tool.X_BF[:3, 3])), tool.body
        while i >= 0:
            if tree.prismatic[i]:
                out = np.array([tree.q_min[i], tree.q_max[i]])
                total += float(np.abs(out[np.isfinite(out)]).max(initial=0.0))
            i, step = self.bodies[i].parent, self.bodies[i].X_PJ[:3, 3]
            total += float(np.linalg.norm(step)) if i >= 0 else 0.0
        return total or 1.0

    @property
    def characteristic_length(self) -> float:
        """Characteristic length in m that converts angles (rad) to lengths in comparisons: reach / 2."""
        return self.reach / 2

    @cached_property
    def tool_frame(self) -> Frame:
        """Default frame of the robot, named `tool`."""
        return self.frames[self.tool]

    def frame(self, name: str | Frame | None = None) -> Frame:
        """Return the frame with this name, for None the tool; a frame of this robot is returned unchanged.

        A frame has `body`, the 0-based index of its body (−1 for the world), its 4×4 pose `X_BF` on the body in m, and `link`,
        the name of its link. Raises UnknownFrameError.
        """
        if isinstance(name, Frame):
            same = (frame for frame in self.frames.values() if frame.body == name.body and np.array_equal(frame.X_BF, name.X_BF))
            if (frame := next(same, None)) is not None:
                return frame
            raise UnknownFrameError(f"{self.name}: the frame belongs to another robot; valid are {', '.join(self.frames)}")
        try:
            return self.frames[self.tool if name is None else name]
        except (KeyError, TypeError):
            raise UnknownFrameError(
                f"{self.name}: unknown frame {one_line(repr(name), 80)}; valid are {', '.join(self.frames)}"
            ) from None

    def chain(self, frame: Frame) -> tuple[int, ...]:
        """Return the 0-based indices of the bodies from the base to a frame.

        In `Robot.tree`, the joint with the same index carries each body.
        """
        bodies, i = [], frame.body
        while i >= 0:
            bodies.append(i)
            i = self.bodies[i].parent
        return tuple(reversed(bodies))

    def _repr_png_(self) -> bytes | None:
        """The arm as its file describes it, for a notebook."""
        from armature.engine.notebook import robot_png  # starts a process: nothing for scripts

        return None if self.source is None else robot_png(self.source, self.file_hash, self.companion_hash)

    def with_payload(self, mass: float | Payload, com=None, inertia=None) -> Robot:
        """Return the robot with a payload: a `Payload`, or `mass` in kg with `com` and `inertia`.

        `com` `(3,)`: centre of mass in the tool frame, m; `inertia` `(3, 3)`: inertia about the centre of mass, in the axes of
        the tool frame, kg·m²; None: zero. Both must be None if `mass` is a `Payload`. Raises ModelError, DimensionError.
        """
        if isinstance(mass, Payload):
            if com is not None or inertia is not None:
                raise ModelError(f"{self.name}: com and inertia are part of the Payload; give them only with a mass in kg")
            com, inertia, mass = mass.com, mass.inertia, mass.mass
        com = vector("payload com", (0, 0, 0) if com is None else com)
        mass, I_c = payload_figures(f"{self.name}: payload", ModelError, mass, inertia)
        frame = self.frame()
        if frame.body < 0 or (mass == 0 and not I_c.any()):
            return self
        R, p = frame.X_BF[:3, :3], frame.X_BF[:3, 3]
        bodies = list(self.bodies)
        bodies[frame.body] = bodies[frame.body].with_mass(mass, p + R @ com, R @ I_c @ R.T)
        return self._with({"payload": {"mass": mass, "com": com.tolist(), "inertia": I_c.tolist()}}, bodies=tuple(bodies))

    def with_gravity(self, gravity) -> Robot:
        """Return the robot with the acceleration of free fall `gravity` `(3,)`, m/s², world axes."""
        g = vector("gravity", gravity)
        return self._with({"gravity": g.tolist()}, gravity=g)

    def with_floor(self, height: float | None) -> Robot:
        """Return the robot with a floor at the height z = `height` m in the world, which exerts no force; None: no floor.

        Raises ModelError for a height that is not a finite number.
        """
        z = None if height is None else floor_height(self.name, height)
        return self._with({"floor": z}, floor=z)

    def with_tool(self, tool) -> Robot:
        """Return the robot with another tool: the name of a frame, or a 4×4 pose in m.

        The pose is relative to the flange: the frame `robot.flange`, or that of the last link if the robot names none.
        """
        if isinstance(tool, str):
            self.frame(tool)
            return self._with({"tool": tool}, tool=tool)
        X = tool_pose(self.name, tool)
        flange = self.frames[self.flange or self.link_names[-1]]
        frames = {**self.frames, "tool": Frame(flange.body, flange.X_BF @ X)}
        return self._with({"tool": X.tolist()}, frames=frames, tool="tool")

    def without_friction(self, joints: Iterable[str] | None = None) -> Robot:
        """Return the robot without friction in the joints with the names `joints`, or in all joints for None.

        Raises ModelError for an unknown name.
        """
        chosen = self.joint_names if joints is None else tuple(joints)
        smooth = {self._joint(name) for name in chosen}
        joints_of = zip(self.bodies, self.body_joints, strict=True)
        bodies = (replace(body, friction=Friction()) if joint in smooth else body for body, joint in joints_of)
        return self._with({"friction": False if joints is None else list(chosen)}, bodies=tuple(bodies))

    def with_friction(self, joints: Mapping[str, Friction]) -> Robot:
        """Return the robot with new friction in some joints; `joints` maps their names to `Friction` objects.

        `Friction(viscous, (plus, minus), stiction)` of `armature.engine.model.body`, on the joint side: viscous in N·m·s/rad or
        N·s/m, Coulomb friction in positive and negative direction and breakaway in N·m or N, all ≥ 0.
        Raises ModelError for an unknown name or an invalid number.
        """
        bodies, coefficients = list(self.bodies), {}
        for name, friction in joints.items():
            k = self.joint_bodies[self._joint(name)]
            coefficients[name] = friction_figures(self.name, name, friction)
            bodies[k] = replace(bodies[k], friction=friction)
        return self._with({"friction": coefficients}, bodies=tuple(bodies))

    def without_stops(self) -> Robot:
        """Return the robot with unlimited joint positions."""
        endless = np.full(self.n, np.inf)
        return self._with({"stops": False}, q_min=-endless, q_max=endless)

    def _joint(self, name: str) -> int:
        """The index of the joint of that name."""
        if name not in self.joint_names:
            raise ModelError(f"{self.name}: unknown joint {name!r}; valid are {', '.join(self.joint_names)}")
        return self.joint_names.index(name)

    def _with(self, change: Mapping[str, Any], **figures) -> Robot:
        """Return the robot with new values, and add the change to `changes`."""
        return replace(self, **figures, changes=(*self.changes, change))
