"""`OverlayCanvas`: what is drawn with the robot, and when."""

from __future__ import annotations

import numpy as np

from armature import engine
from armature.engine import Robot
from armature.engine.thresholds import Level

from armature.app.scene.robot_canvas import RobotCanvas, links_of_slots, slot_poses  # isort: skip  (settles which window system PyOpenGL talks to)
from PySide6.QtCore import Signal

from armature.app.scene.arm.ghost_item import GhostLook, GhostName
from armature.app.scene.gl.solids import Solids
from armature.app.scene.overlays.clearance_item import ShownContacts
from armature.app.scene.overlays.dh_walk import DHStep
from armature.app.scene.overlays.kinematics.column_item import Columns
from armature.app.scene.overlays.kinematics.point_item import CarriedPoint
from armature.app.scene.overlays.newton_euler.rnea_walk import RneaMoment
from armature.app.scene.overlays.sketch.sketch import Sketch
from armature.app.scene.overlays.workspace.surface_picture import OPACITY


class OverlayCanvas(RobotCanvas):
    """Shows frames, ghosts, ways, workspaces and marks around the arm and on it; each stays until it is taken away.

    Tells `ghosts_changed(title)`, empty where there are none, `ghosts_dismissed(owner)` and `ghost_clicked(owner, k)`.
    """

    ghosts_changed = Signal(str)
    ghosts_dismissed = Signal(object)
    ghost_clicked = Signal(object, int)

    _second_links: tuple[np.ndarray, np.ndarray]  # of the slots of the second arm

    def set_robot(self, robot: Robot, q: np.ndarray) -> None:
        """Show a robot; nothing of the last one stays."""
        super().set_robot(robot, q)
        self.ghosts_changed.emit("")

    def set_overlay(self, name: str, on: bool) -> None:
        """Show or hide one of OVERLAYS."""
        self.stage.set_overlay(name, on)
        self.update()

    def overlay(self, name: str) -> bool:
        """Whether one of OVERLAYS is shown."""
        return self.stage.overlay(name)

    def set_frame_size(self, factor: float) -> None:
        """Draw the frames so many times as large as usual."""
        self.stage.frames.set_magnification(factor)
        self.update()

    def set_warning(self, level: Level, joints=(), losses=()) -> None:
        """Tint the arm near a singularity: 0 no, 1 amber, 2 red; `joints` (0-based) are to blame, `losses` the motions lost."""
        if not (level or losses or self.stage.arm.warning or self.stage.lost_motion.losses):
            return  # all is fine, as before: no frame for that
        self.stage.arm.set_warning(level, tuple(int(j) for j in joints))
        self.stage.lost_motion.set_losses(level, losses)
        self.update()

    def set_contacts(self, contacts: ShownContacts | None) -> None:
        """Show contacts and the smallest distance of the arm by these models; None: no longer."""
        self.stage.clearance.set_contacts(contacts)
        self.update()

    def show_stop(self, q: np.ndarray, why: str) -> None:
        """Show why a drag ended at the pose q `(n,)`, as long as the arm is there."""
        self.stage.clearance.stop = q, why
        self.update()

    def highlight_joint(self, joint: int, *more: int) -> None:
        """Light up the links of these joints; -1 for none."""
        self.stage.set_hovered(int(joint), *more)
        self.update()

    def set_dh_step(self, step: DHStep | None, text: str = "") -> None:
        """Show one moment of the DH walk and its value in words, the arm faded around it; None ends it."""
        self.stage.explanations.set_dh_step(step, text)
        self.update()

    def set_rnea_step(self, moment: RneaMoment | None) -> None:
        """Show one moment of recursive Newton–Euler, the arm faded around its link; None ends it."""
        self.stage.explanations.set_rnea_step(moment)
        self.update()

    def set_sketch(self, sketch: Sketch | None) -> None:
        """Show arrows and lines that explain something, the arm faded around them; None ends it."""
        self.stage.explanations.set_sketch(sketch)
        self.update()

    def show_lengths(self, on: bool) -> None:
        """Draw and name the lengths of the robot's DH table."""
        self.stage.explanations.lengths.setVisible(on)
        self.update()

    def show_point(self, point: CarriedPoint | None) -> None:
        """Show a point that goes with a link, and its way from a frame; None for none."""
        self.stage.explanations.point.set_point(point)
        self.update()

    def show_columns(self, columns: Columns | None) -> None:
        """Show a column of a Jacobian, and those of a motion chained to the velocity that they add up to; None for none."""
        self.stage.explanations.columns.set_columns(columns)
        self.update()

    def show_axes(self, joints: tuple[int, ...]) -> None:
        """Show the axes of these joints; () for none."""
        self.stage.explanations.axes.set_joints(joints)
        self.update()

    def show_levers(self, joint: int, gravity: np.ndarray) -> None:
        """Show the weights that this joint bears in a gravity `(3,)` in W, m/s², and their lever arms; -1 for none."""
        self.stage.explanations.levers.set_joint(joint, gravity)
        self.update()

    def clear_trace(self) -> None:
        """Forget where the tool has been."""
        self.stage.trace.clear()
        self.update()

    def show_ghosts(
        self,
        owner: object,
        X_WL: np.ndarray,
        colours,
        look: GhostLook,
        title: str,
        names: tuple[GhostName, ...] = (),
        marked: int = -1,
    ) -> None:
        """Show the arm also at k other poses, seen through, instead of those shown before.

        Link poses `(k, n_links, 4, 4)`, a colour for each, whose they are, and what they are in words. Those with `names` are
        named, and tell when they are clicked; one may be `marked`.
        """
        self.stage.ghosts.set_ghosts(owner, self._ghost_slots(X_WL), tuple(colours), look, names, marked)
        self.ghosts_changed.emit(title)
        self.update()

    def clear_ghosts(self, owner: object) -> None:
        """Remove the ghosts of `owner`, if they are shown."""
        if self.stage.ghosts.owner is owner:
            self.stage.ghosts.clear()
            self.ghosts_changed.emit("")
            self.update()

    def show_second(self, robot: Robot, solids: Solids, q: np.ndarray, beside: bool, captions: tuple[str, str]) -> None:
        """Show a second arm at q `(n,)`, with these solids, next to the first or translucent over it, with captions of both."""
        assert self.robot is not None
        self._second_links = links_of_slots(robot)
        self.stage.second.show_arm(robot, solids, self.robot, beside, captions)
        self.set_second(engine.link_poses(robot, q))
        if self.is_fitted:
            self.recall_view(self.chosen_view())

    def set_second(self, X_WL: np.ndarray) -> None:
        """Show link poses `(n_links, 4, 4)` of the second arm."""
        self.stage.second.set_slots(slot_poses(X_WL, self._second_links)[:-1])
        self.update()

    def clear_second(self) -> None:
        """Show no second arm."""
        self.stage.second.clear()
        self.update()

    def ghost_under(self, x: float, y: float) -> int:
        """Which of the ghosts that have names is seen at a pixel of the widget, not hidden by the arm; -1 for none."""
        if not self.stage.ghosts.names:
            return -1
        hit = self.pick(x, y)
        return self.stage.ghosts.under(*self.camera.ray(x, y), np.inf if hit is None else hit.distance)

    def click_ghost(self, x: float, y: float) -> bool:
        """Tell whose ghost was clicked at a pixel; False where there is none that can be."""
        k = self.ghost_under(x, y)
        if k >= 0:
            self.ghost_clicked.emit(self.stage.ghosts.owner, k)
        return k >= 0

    def dismiss_ghosts(self) -> bool:
        """A person wants them no more; returns whether there were any."""
        owner = self.stage.ghosts.owner
        if owner is None:
            return False
        self.clear_ghosts(owner)
        self.ghosts_dismissed.emit(owner)
        return True

    def show_script(self, sketch: Sketch | None, notes: tuple[str, ...], X_WL: np.ndarray, colours) -> None:
        """What a script shows: arrows and texts, sentences at the top, and the arm at link poses `(k, n_links, 4, 4)`."""
        self.stage.script.set_script(sketch, notes)
        self.stage.script_ghosts.set_ghosts(self, self._ghost_slots(X_WL), tuple(colours), GhostLook.SCRIPT)
        self.update()

    def show_workspace(self, picture) -> None:
        """Show a sampled workspace, a `ReachPicture`; where none was, a fitted view becomes one of arm and workspace."""
        was_there = self.stage.shows_workspace
        self.stage.cloud.set_records(picture.records)
        self.stage.reach.set_mesh(picture.mesh, picture.opacity)
        if self.is_fitted and not was_there:
            self._frame()  # at once: on a flight every frame would draw all the points
        self.update()

    def clear_workspace(self) -> None:
        """Take the workspace away."""
        self.stage.cloud.clear()
        self.stage.reach.set_mesh(None)
        self.update()

    def show_surfaces(self, mesh) -> None:
        """Show singular surfaces in W, seen through; None takes them away."""
        self.stage.surfaces.set_mesh(mesh, OPACITY)
        self.update()
