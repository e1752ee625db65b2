"""`Stage`: all items of the scene, and which of them are shown."""

from __future__ import annotations

import numpy as np

from armature.app.scene.arm.arm_item import ArmItem
from armature.app.scene.arm.drawn_pose import Pose, ShownPose
from armature.app.scene.arm.ghost_item import GhostItem
from armature.app.scene.arm.pose_item import PoseItem
from armature.app.scene.arm.second_arm_item import SecondArmItem
from armature.app.scene.gizmo.gizmo_item import GizmoItem
from armature.app.scene.gl.frame_state import FrameState
from armature.app.scene.gl.scene_item import SceneItem
from armature.app.scene.gl.solids import Solids
from armature.app.scene.labels.label import Box
from armature.app.scene.labels.label_item import LabelItem
from armature.app.scene.overlays.clearance_item import ClearanceItem
from armature.app.scene.overlays.com_item import ComItem
from armature.app.scene.overlays.coordinate_item import CoordinateItem
from armature.app.scene.overlays.explanations import Explanations
from armature.app.scene.overlays.frame_item import FrameItem
from armature.app.scene.overlays.gauge_item import GaugeItem
from armature.app.scene.overlays.inertia_box_item import InertiaBoxItem
from armature.app.scene.overlays.inertia_item import InertiaItem
from armature.app.scene.overlays.kinematics.row_handles import RowHandleItem
from armature.app.scene.overlays.lost_motion_item import LostMotionItem
from armature.app.scene.overlays.measure_item import MeasureItem
from armature.app.scene.overlays.newton_euler.load_item import LoadItem
from armature.app.scene.overlays.path_item import PathItem
from armature.app.scene.overlays.payload_item import PayloadItem
from armature.app.scene.overlays.pull_item import PullItem
from armature.app.scene.overlays.sketch.script_item import ScriptItem
from armature.app.scene.overlays.tool_ellipsoid_item import ForceEllipsoidItem, VelocityEllipsoidItem
from armature.app.scene.overlays.trace_item import TraceItem
from armature.app.scene.overlays.workspace.cloud_item import CloudItem
from armature.app.scene.overlays.workspace.reach_item import ReachItem
from armature.app.scene.surroundings.backdrop_item import BackdropItem
from armature.app.scene.surroundings.cell_item import CellItem
from armature.app.scene.surroundings.contact_item import ContactItem
from armature.app.scene.surroundings.corner_item import CornerItem
from armature.app.scene.surroundings.floor_item import FloorItem
from armature.app.state.choices import overlay_choices
from armature.app.state.units import Units
from armature.engine import Robot
from armature.engine.model.skeleton import Skeleton

OVERLAYS = tuple(overlay_choices.OVERLAYS)
NEAR = 1.2  # reaches from the base, within which objects of the cell are framed


class Stage:
    """The items, given a robot and then poses; it knows nothing of windows."""

    robot: Robot
    solids: Solids
    pose: Pose

    def __init__(self):
        self.arm, self.second = ArmItem(), SecondArmItem()
        self.floor = FloorItem(self.arm)
        self.frames, self.gauges = FrameItem(), GaugeItem()
        self.explanations = Explanations(self.arm, self.frames)
        self.com, self.inertia, self.inertia_boxes = ComItem(), InertiaItem(), InertiaBoxItem()
        self.trace, self.coordinates = TraceItem(), CoordinateItem()
        self.ellipsoid, self.force = VelocityEllipsoidItem(), ForceEllipsoidItem()
        self.lost_motion = LostMotionItem()
        self.cloud, self.reach, self.corner = CloudItem(), ReachItem(), CornerItem()
        self.surfaces = ReachItem()
        self.tool_path = PathItem()
        self.ghosts, self.gizmo, self.waypoint_gizmo = GhostItem(self.arm), GizmoItem(), GizmoItem()
        self.pull, self.payload, self.loads = PullItem(), PayloadItem(), LoadItem()
        self.contacts, self.measure = ContactItem(), MeasureItem()
        self.cell, self.cell_gizmo = CellItem(), GizmoItem()
        self.clearance = ClearanceItem(self.arm, self.cell)
        self.script, self.script_ghosts = ScriptItem(), GhostItem(self.arm)
        self.row_handles = RowHandleItem()
        self.labels = LabelItem()
        self.names = True
        self._overlays: dict[str, tuple[SceneItem, ...]] = {
            "frames": (self.frames,),
            "axes": (self.gauges,),
            "corner": (self.corner,),
            "trace": (self.trace,),
            "coordinates": (self.coordinates,),
            "ellipsoid": (self.ellipsoid,),
            "force": (self.force,),
            "lost_motion": (self.lost_motion,),
            "workspace": (self.cloud, self.reach, self.surfaces),
            "com": (self.com,),
            "inertia": (self.inertia,),
            "inertia_boxes": (self.inertia_boxes,),
            "loads": (self.loads,),
        }
        first = [BackdropItem(), self.arm, self.second, self.floor, self.trace, self.cloud, self.reach, self.ghosts, self.corner]
        first += [*self.explanations.walks, self.surfaces, self.tool_path, self.waypoint_gizmo, self.script, self.script_ghosts]
        first += [self.row_handles, self.gizmo, self.cell, self.cell.veil, self.cell_gizmo]
        last: list[SceneItem] = [self.pull, self.payload, self.contacts, self.clearance, self.lost_motion, self.measure]
        last += self.explanations.followers
        overlays = [item for items in self._overlays.values() for item in items if item not in first + last]
        items = [*first, *overlays, *last]
        self.items = [*items, self.labels]
        self._shown = ShownPose()
        for item in items:
            if isinstance(item, PoseItem):
                item.go_with(self._shown)
            if hasattr(item, "labels"):
                self.labels.sources.append(item.labels)
            if hasattr(item, "pills"):
                self.labels.pill_sources.append(item.pills)
        self.labels.kept_clear = self._kept_clear
        self.labels.is_walled = self.frames.is_walled = lambda: self.reach.is_wall
        self.contacts.is_explained = lambda frame: bool(self.clearance.pills(frame))
        self._switches: dict[str, tuple[object, str]] = {
            "labels": (self.frames, "with_labels"),
            "grid": (self.floor, "grid"),
            "names": (self, "names"),
            "translucent": (self.arm, "translucent"),
            "wireframe": (self.arm, "wireframe"),
            "clearance": (self.clearance, "shows_line"),
        }

    def set_robot(self, robot: Robot, bones: Skeleton, solids: Solids) -> None:
        """Set the stage for another robot; nothing of the last one stays."""
        for item in self.items:
            item.broken = False
            item.clear()
        self.arm.set_faded(False)
        self.arm.make_room(len(robot.bodies) + 1, robot.joint_bodies)
        self.waypoint_gizmo.look.shown = False
        self.set_edited(robot, bones, solids)

    def set_edited(self, robot: Robot, bones: Skeleton, solids: Solids) -> None:
        """The same robot with other parameters, while it is being edited; overlays that were shown stay."""
        self.robot, self.solids, self._shown.pose, self._shown.told = robot, solids, None, None
        self.arm.broken = False
        self.arm.set_solids(solids)
        for item in self.items:
            item.set_robot(robot, bones)
        self._name_frames()

    def set_solids(self, solids: Solids, floor: float) -> None:
        """Draw the robot with other solids, on a floor at that height in m."""
        self.solids = solids
        self.arm.broken = False
        self.arm.set_solids(solids)
        self.floor.set_size(self.robot.base[:2, 3], self.floor.reach, floor)
        for item in (self.com, self.coordinates):
            item.floor = floor
            item.follow_again()

    def set_poses(self, X_WS: np.ndarray, X_WT: np.ndarray, q: np.ndarray, update_labels: bool = True) -> None:
        """Show the poses of all slots, the world first, `(n + 1, 4, 4)`, and of the tool frame `(4, 4)`, in W, at q `(n,)`.

        With `update_labels` the numbers change to this pose at once, else with `refresh_labels`.
        """
        self.pose = self._shown.pose = Pose(self.robot, q, X_WS, X_WT)
        if update_labels or self._shown.told is None:
            self._shown.told = self.pose
        self.arm.set_poses(X_WS[1:])
        self.trace.add(self.pose.tool)
        self.gizmo.set_pose(self.pose)

    def refresh_labels(self) -> bool:
        """Update the numbers to the pose that is shown; False if they were up to date."""
        before, self._shown.told = self._shown.told, self._shown.pose
        return before is not self._shown.told

    def set_hovered(self, joint: int, *more: int) -> None:
        """Light up a joint's link and name its frames in full; -1 for none. The links of `more` light up, too."""
        self.arm.set_hovered(joint, *more)
        self._name_frames()

    def set_selected(self, joint: int) -> None:
        """Mark a joint's link and name its frames in full; -1 for none."""
        self.arm.selected = joint
        self._name_frames()

    def _name_frames(self) -> None:
        slots = [self.arm.slot_of[joint] if joint >= 0 else -1 for joint in (self.arm.hovered, self.arm.selected)]
        self.frames.set_focus(*slots)

    def set_units(self, units: Units) -> None:
        """Units of the numbers in the scene."""
        for item in self.items:
            item.units = units

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS."""
        if name in self._switches:
            setattr(*self._switches[name], on)
            return
        for item in self._overlay_items(name):
            item.setVisible(on)

    def overlay(self, name: str) -> bool:
        """Whether one of OVERLAYS is shown."""
        return getattr(*self._switches[name]) if name in self._switches else self._overlay_items(name)[0].visible()

    @property
    def shows_workspace(self) -> bool:
        """Whether points or a surface of a workspace are drawn."""
        return self.cloud.visible() and (len(self.cloud.records) > 0 or self.reach.mesh is not None)

    @property
    def has_workspace(self) -> bool:
        """True where there is a workspace or a singular surface, drawn or switched off."""
        return len(self.cloud.records) > 0 or self.reach.mesh is not None or self.surfaces.mesh is not None

    def points_to_frame(self, joint: int = -1, thing: str = "") -> np.ndarray:
        """Points `(N, 3)` in W that outline the arm on its stand, its cloud, arrows of walks and loads, the near objects of the
        cell, or one joint's link or one object."""
        if thing and len(corners := self.cell.points(thing)):
            return corners
        points, owners = self.solids.points(self.pose.slots), np.asarray(self.solids.owners)
        if joint >= 0 and (owners == self.robot.joint_bodies[joint] + 1).any():
            return points[owners == self.robot.joint_bodies[joint] + 1]
        objects = np.clip(self.cell.points(), *(self.robot.base[:3, 3] + NEAR * self.robot.reach * np.array([[-1.0], [1.0]])))
        points = np.concatenate([points, self.explanations.rnea_step.ends, self.loads.ends, objects, self.second.points()])
        if not self.cloud.visible():
            return points
        meshes = [item.mesh.vertices["position"][::8] for item in (self.reach, self.surfaces) if item.mesh is not None]
        return np.concatenate([points, self.cloud.records["position"][:4000], *meshes])

    def _overlay_items(self, name: str) -> tuple[SceneItem, ...]:
        if name not in self._overlays:
            raise ValueError(f"no overlay {name!r}; valid are {', '.join(OVERLAYS)}")
        return self._overlays[name]

    def _kept_clear(self, frame: FrameState) -> list[Box]:
        return self.corner.boxes(frame) + (self.loads.legend.boxes(frame) if self.loads.is_shown else [])
