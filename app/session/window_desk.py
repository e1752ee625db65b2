"""`WindowDesk`: the desk of a window as a value, and a session back on the desk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from armature.app.control.own_law.feature import OwnLawFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.session.session_file import Desk, SavedSession
from armature.app.session.session_robot import OpenArm
from armature.app.simulation.disturbance_feature import DisturbanceFeature
from armature.app.state.choices.overlay_choices import OVERLAYS
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import Draft, draft_of
from armature.engine import EngineError

if TYPE_CHECKING:
    from armature.app.feature import Feature
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench

SWITCHES = ("orthographic", "gizmo", "gizmo_tool_axes", "stop_at_contact")  # actions, settings and keys of the table [view]
Values = dict[str, float]


class PanelArrangement(Protocol):
    """Panels of the window."""

    def layout(self) -> str:
        """Return the arrangement in base64."""

    def show_layout(self, name: str, layout: str) -> None:
        """Show a perspective with an arrangement."""


class WindowDesk:
    """Reads and restores the state of all `features`.

    `held_code` has the Python files of the open session that the user has not consented to run.
    """

    def __init__(self, bench: Workbench, features: Iterable[Feature], arrangement: PanelArrangement):
        self._bench, self._arrangement = bench, arrangement
        self._features = {type(feature): feature for feature in features}
        self.held_code: dict[str, tuple[Path, Values]] = {}

    def with_arrangement(self, desk: Desk) -> Desk:
        """Return a desk with the arrangement of the panels and the place of a fitted camera, which `read` omits."""
        tables, scene = dict(desk.tables), self._bench.scene
        fit = [*scene.flight.destination()[2:], scene.camera.width, scene.camera.height] if scene.is_fitted else []
        tables["window"] = {**tables["window"], "layout": self._arrangement.layout()}
        tables["view"] = {**tables["view"], "fit": fit}
        return replace(desk, tables=tables)

    def restore_fit(self, file: SessionFile) -> None:
        """Restore the place of a fitted camera, if the view has the same size; cell and pose may have changed since."""
        view, scene = file.view, self._bench.scene
        if scene.is_fitted and view.fit[4:] == [scene.camera.width, scene.camera.height] and view.fit[3] > 0:
            scene.recall_view((*view.camera[:2], *view.fit[:4]))
            scene.is_fitted = True

    @property
    def _code(self) -> dict[str, Any]:
        """Features that run Python code, by the name of the code in a session."""
        trajectory: Any = self._features[TrajectoryFeature]
        features = {"controller": self._features[OwnLawFeature], "disturbance": self._features[DisturbanceFeature]}
        return {**features, "trajectory": trajectory.function}

    # -- from the window -------------------------------------------------------------------------------------------------------

    def read(self) -> Desk:
        """Return the present desk, without the arrangement of the panels."""
        from armature.engine.trajectory.plan_file import plan_text  # numba: not before the window is on screen

        bench, now = self._bench, self._bench.preferences.now
        document, scene, cell = bench.document, bench.scene, bench.cell
        window = {"angle_unit": now.angle_unit, "length_unit": now.length_unit, "perspective": now.perspective}
        tables: dict[str, Any] = {
            "notes": bench.state.notes,
            "pose": {"q": document.q.tolist()},
            "view": {**self._view(), "camera": list(scene.chosen_view()), "selected_joint": scene.selected},
            "window": window,
            "cell": {"selected": cell.selected, "hidden": sorted(cell.hidden)},
        }
        for feature in self._features.values():
            for name, table in feature.session_tables().items():
                tables[name] = {**tables.get(name, {}), **table}
        code = dict(self.held_code)
        for name, feature in self._code.items():
            if active := feature.session_code():
                code[name] = active
        for name, (path, values) in code.items():
            table = {"file": f"code/{name}.py", "path": str(path), "values": values}
            holder = "control" if name == "controller" else name
            tables[holder] = table if name == "disturbance" else {**tables.get(holder, {}), "code": table}
        model, replay = self._trajectory.model, self._replay
        plan = plan_text(model.draft.plan(model.robot.name)) if model.draft.waypoints else ""
        return Desk(
            tables=tables,
            arm=OpenArm(document.robot, document.draft),
            cell=cell.now,
            plan=plan,
            code={name: path for name, (path, _) in code.items()},
            trace=scene.stage.trace.records,
            recordings=replay.files,
            t=bench.replay.t if replay.files else 0.0,
        )

    def _view(self) -> dict[str, Any]:
        now = vars(self._bench.preferences.now)
        names, stage = ("overlays", "frame_size", "shapes", "hand_mode", *SWITCHES), self._bench.scene.stage
        hidden = {"hidden_links": sorted(stage.arm.hidden), "hidden_frames": sorted(stage.frames.hidden)}
        return {**{name: now[name] for name in names}, **hidden}

    @property
    def _trajectory(self) -> TrajectoryFeature:
        feature = self._features[TrajectoryFeature]
        assert isinstance(feature, TrajectoryFeature)
        return feature

    @property
    def _replay(self) -> ReplayToolsFeature:
        feature = self._features[ReplayToolsFeature]
        assert isinstance(feature, ReplayToolsFeature)
        return feature

    # -- onto the window -------------------------------------------------------------------------------------------------------

    def open(self, session: SavedSession) -> list[str]:
        """Restore all but robot and recordings, and return remarks on parts that cannot be restored. No code is run."""
        bench, file = self._bench, session.file
        bench.state.notes, remarks = file.notes, list[str]()
        steps: dict[str, Callable[[], object]] = {
            "window": lambda: self._open_window(file),
            "cell": lambda: self._open_cell(session),
            "pose": lambda: bench.document.set_q(file.pose.q),
            "trajectory": lambda: self._open_trajectory(session),
            **{type(one).__name__: lambda one=one: one.open_session(file) for one in self._features.values()},  # type: ignore[misc]
            "view": lambda: self._open_view(file),
        }
        for name, step in steps.items():
            try:
                step()
            except (EngineError, ValueError, LookupError) as error:
                remarks.append(f"{name.removesuffix('Feature').lower()}: {error}")
        bench.scene.stage.trace.restore(session.trace)
        bench.scene.update()
        return remarks

    def _open_window(self, file: SessionFile) -> None:
        window, actions = file.window, self._bench.actions
        actions[f"perspective_{window.perspective}"]  # raises KeyError for an unknown one
        self._arrangement.show_layout(window.perspective, window.layout)
        for name in (f"angle_{window.angle_unit}", f"length_{window.length_unit}"):
            actions[name].trigger()

    def _open_cell(self, session: SavedSession) -> None:
        cell = self._bench.cell
        if session.cell is not None:
            cell.set(session.cell)
        for name in session.file.cell.hidden:
            cell.show(name, False)
        cell.select(session.file.cell.selected)

    def _open_trajectory(self, session: SavedSession) -> None:
        model = self._trajectory.model
        draft = Draft() if session.plan is None else draft_of(session.plan)
        model.put(draft)
        model.mark_saved(draft)

    def _open_view(self, file: SessionFile) -> None:
        view, scene, actions = file.view, self._bench.scene, self._bench.actions
        for name, on in view.overlays.items():
            if name in OVERLAYS:
                actions[f"show_{name}"].setChecked(on)
        for name in SWITCHES:
            actions[name].setChecked(vars(view)[name])
        if view.selected_joint < len(file.pose.q):
            scene.select_joint(view.selected_joint)
        for name in (f"frames_{view.frame_size}", f"shapes_{view.shapes}", f"hand_{view.hand_mode}"):
            actions[name].trigger()
        links, frames = len(scene.slot_poses), len(scene.stage.frames.names)
        if max(view.hidden_links, default=0) >= links or max(view.hidden_frames, default=0) >= frames:
            raise ValueError("hidden_links and hidden_frames must be indices of this arm")
        scene.hide(frozenset(view.hidden_links), frozenset(view.hidden_frames))
        if len(view.camera) > 1:
            elevation, rest = view.camera[1], view.camera[2:]
            if len(rest) not in (0, 4) or abs(elevation) > 90 or (rest and rest[-1] <= 0):
                raise ValueError("camera must be 2 angles, elevation at most 90, or angles, target and a distance above 0")
            scene.recall_view(tuple(view.camera))
            scene.view_chosen.emit()

    def end_code(self) -> None:
        """End the user code of the present desk, before another one is opened."""
        controller = self._features[OwnLawFeature]
        assert isinstance(controller, OwnLawFeature)
        controller.end()
        self._code["disturbance"].remove()

    def run_code(self, code: Mapping[str, tuple[Path, Values]]) -> None:
        """Run Python files, to which the user has consented."""
        features = self._code
        for name, (path, values) in code.items():
            features[name].open(path, values)
            self.held_code.pop(name, None)
