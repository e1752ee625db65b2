"""Every command of the program, once: its words, its icon, its keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QWidget

from app.icons import icon
from app.overlays import FRAME_SIZES


@dataclass(frozen=True)
class Command:
    """What an action looks like. `group` makes exclusive choices; `tip` is a sentence for the tooltip and the help."""

    name: str
    text: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    tip: str = ""
    checkable: bool = False
    group: str = ""


COMMANDS = (
    Command("open", "Open robot or recording…", "open", ("Ctrl+O",), "Open a robot file or a recording"),
    Command("save_recording", "Save recording as…", "save", ("Ctrl+S",), "Save the open or last recording elsewhere"),
    Command("recover", "Recover recordings…", tip="Look for what runs that ended early have left, and offer to recover it"),
    Command("screenshot", "Screenshot", "camera", ("Ctrl+P",), "Save the 3D view as a picture"),
    Command("screenshot_copy", "Copy screenshot", "", ("Ctrl+Shift+P",), "Put the 3D view on the clipboard as a picture"),
    Command("screenshot_options", "Screenshot size and options…", "", ("Ctrl+Alt+P",), "Size, transparent background, caption"),
    Command("quit", "Quit", keys=("Ctrl+Q",), tip="Close the program"),
    Command("undo", "Undo", "undo", ("Ctrl+Z",), "Undo the last edit of the pose"),
    Command("redo", "Redo", "redo", ("Ctrl+Y", "Ctrl+Shift+Z"), "Redo what was undone"),
    Command("joint_next", "Next joint", "", (".",), "Select the next joint, to be moved by the arrow keys"),
    Command("joint_previous", "Previous joint", "", (",",), "Select the joint before"),
    Command("run", "Run", "run", ("Space",), "Let the simulation run"),
    Command("pause", "Pause", "pause", ("Space",), "Pause the simulation"),
    Command("step", "Single step", "step", ("Right",), "Simulate one time step"),
    Command("reset", "Reset", "reset", ("Backspace",), "Back to time 0 and the pose last set by hand"),
    Command("slower", "Slower", "", ("-",), "Simulate more slowly"),
    Command("faster", "Faster", "", ("=", "+"), "Simulate faster"),
    Command("add_waypoint", "Add waypoint here", "", ("Insert",), "Take the arm's joints into the trajectory"),
    Command("run_trajectory", "Run trajectory", "", ("Ctrl+Return",), "From its beginning, under the chosen controller"),
    Command("record", "Record", "record", ("Ctrl+R",), "Write every simulation step, or every pose, to a file", checkable=True),
    Command("gizmo", "Drag the hand", "gizmo", ("H",), "Arrows, rings and planes at the tool that take the arm along", True),
    Command("gizmo_tool_axes", "Axes of the tool", "", ("Shift+H",), "Move along the tool's axes, not the world's", True),
    Command("hand_pose", "Position and orientation", tip="The whole pose of the tool is dragged", checkable=True, group="hand"),
    Command("hand_position", "Position only", tip="The orientation follows as it likes", checkable=True, group="hand"),
    Command("hand_locked", "Orientation locked", tip="The tool moves without turning", checkable=True, group="hand"),
    Command("jog_next", "Next handle of the hand", "", ("Alt+Right",), "Choose what the jog keys move along"),
    Command("jog_previous", "Previous handle of the hand", "", ("Alt+Left",), "Choose what the jog keys move along"),
    Command("jog_forward", "Jog the hand forward", "", ("Alt+Up",), "One centimetre or degree along the chosen handle"),
    Command("jog_back", "Jog the hand back", "", ("Alt+Down",), "One centimetre or degree back along the chosen handle"),
    Command("jog_forward_fine", "Jog forward, finely", "", ("Alt+Shift+Up",), "One millimetre or a tenth of a degree"),
    Command("jog_back_fine", "Jog back, finely", "", ("Alt+Shift+Down",), "One millimetre or a tenth of a degree back"),
    Command("fit", "Frame the arm", "fit", ("F",), "Bring the whole arm into view"),
    Command("view_front", "Front view", "", ("1",)),
    Command("view_back", "Back view", "", ("2",)),
    Command("view_left", "Left view", "", ("3",)),
    Command("view_right", "Right view", "", ("4",)),
    Command("view_top", "Top view", "", ("5",)),
    Command("view_bottom", "View from below", "", ("6",)),
    Command("view_iso", "Isometric view", "", ("7",)),
    Command("orthographic", "Orthographic", "", ("O",), "Parallel rays instead of perspective", True),
    Command("camera_glides", "Smooth changes of view", tip="Fly to standard views instead of leaping", checkable=True),
    Command("show_frames", "Frames", "frames", ("X",), "Link frames: x red, y green, z blue", True),
    Command("show_labels", "Frame labels", "labels", ("L",), "Names of the frames' axes", True),
    Command("frames_smaller", "Smaller frames", "", ("[",), "Draw the frames smaller"),
    Command("frames_larger", "Larger frames", "", ("]",), "Draw the frames larger"),
    Command("show_axes", "Joint axes", "axes", ("J",), "The axes of the joints, their values and limits", True),
    Command("show_corner", "World axes", "corner", ("Shift+X",), "Axes in the corner; a click on one looks along it", True),
    Command("show_grid", "Grid", "grid", ("G",), "Floor grid in metres", True),
    Command("show_trace", "Tool trace", "trace", ("T",), "The path of the tool", True),
    Command("clear_trace", "Clear tool trace", "", ("Shift+T",), "Forget the path drawn so far"),
    Command("show_coordinates", "Tool coordinates", "coordinates", ("C",), "x, y and z of the tool", True),
    Command("show_ellipsoid", "Velocity ellipsoid", "ellipsoid", ("E",), "How fast the tool can move, by direction", True),
    Command("show_force", "Force ellipsoid", "force", ("Shift+E",), "How hard the tool can push, by direction", True),
    Command("show_lost_motion", "Lost motion", "", ("Shift+S",), "What the tool cannot do near a singularity, and why", True),
    Command("show_workspace", "Workspace cloud", "workspace", ("W",), "The computed workspace", True),
    Command("show_com", "Centres of mass", "com", ("M",), "Of every link and, with its place on the floor, of the arm", True),
    Command("show_inertia", "Inertia ellipsoids", "inertia", ("I",), "Each link as the ellipsoid of its mass and inertia", True),
    Command("show_loads", "Loads of the links", "loads", ("Shift+L",), "Force and moment that each joint carries", True),
    Command("show_translucent", "Translucent arm", "translucent", ("S",), "See through the arm", True),
    Command("show_wireframe", "Wireframe", "wireframe", ("Shift+W",), "Draw the arm as a net of edges", True),
    Command("show_names", "Names under the cursor", "names", ("N",), "Link, joint and value of what the cursor is on", True),
    Command("dh_steps", "DH, step by step", "", ("Ctrl+D",), "Build the frames of the arm move by move"),
    Command("theme_system", "Like the system", checkable=True, group="theme"),
    Command("theme_light", "Light", checkable=True, group="theme"),
    Command("theme_dark", "Dark", checkable=True, group="theme"),
    Command("angle_deg", "deg", tip="Show angles in degrees", checkable=True, group="angle"),
    Command("angle_rad", "rad", tip="Show angles in radians", checkable=True, group="angle"),
    Command("length_m", "Metres", tip="Show lengths of joints and tool in metres", checkable=True, group="length"),
    Command("length_mm", "Millimetres", tip="Show lengths of joints and tool in millimetres", checkable=True, group="length"),
    Command("text_100", "100 %", checkable=True, group="text"),
    Command("text_125", "125 %", checkable=True, group="text"),
    Command("text_150", "150 %", checkable=True, group="text"),
    Command("perspective_explore", "Explore", "", ("Ctrl+1",), "Joints, kinematics and DH frames", True, "perspective"),
    Command(
        "perspective_singularity",
        "Singularity",
        "",
        ("Ctrl+2",),
        "Why a pose is singular, and others",
        True,
        "perspective",
    ),
    Command("perspective_workspace", "Workspace", "", ("Ctrl+3",), "What the arm can reach", True, "perspective"),
    Command("perspective_motion", "Motion", "", ("Ctrl+4",), "Trajectories and their control", True, "perspective"),
    Command("perspective_dynamics", "Dynamics", "", ("Ctrl+5",), "Let the arm move; torques and energy", True, "perspective"),
    Command("perspective_all", "All panels", "", ("Ctrl+0",), "Every panel at once", True, "perspective"),
    *(Command(f"frames_{size}", f"{size} %", checkable=True, group="frames") for size in FRAME_SIZES),
    Command("shapes_visual", "Visual", tip="Draw a URDF robot's visual shapes", checkable=True, group="shapes"),
    Command("shapes_collision", "Collision", tip="Draw a URDF robot's collision shapes", checkable=True, group="shapes"),
    Command("shapes_both", "Both", tip="Draw the collision shapes over the visual ones", checkable=True, group="shapes"),
    Command("reset_layout", "Default layout", tip="Put all panels back where they belong"),
    Command("help", "Shortcuts and first steps", "help", ("F1",), "What to do first, and every key"),
    Command("about", "About Armature"),
)
OVERLAY_NAMES = tuple(command.name.removeprefix("show_") for command in COMMANDS if command.name.startswith("show_"))


class Actions:
    """The actions of one window, by name: `actions["run"]`."""

    def __init__(self, window: QWidget):
        self._groups: dict[str, QActionGroup] = {}
        self._actions = {command.name: self._make(window, command) for command in COMMANDS}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def on(self, name: str, slot: Callable):
        """Call `slot` without arguments when the action is triggered."""
        self[name].triggered.connect(lambda _=False: slot())

    def explain(self, name: str, why: str = ""):
        """The tooltip: what it does and its key, or why it cannot be done now."""
        command = next(command for command in COMMANDS if command.name == name)
        self[name].setToolTip(why or _tip(self[name], command))
        self[name].setStatusTip("")

    def set_theme(self, tokens):
        """Draw the icons in the colours of the theme."""
        for command in COMMANDS:
            if command.icon:
                self[command.name].setIcon(icon(command.icon, tokens.record if command.name == "record" else tokens.text))

    def _make(self, window: QWidget, command: Command) -> QAction:
        action = QAction(command.text, window)
        action.setObjectName(f"action_{command.name}")
        action.setCheckable(command.checkable)
        action.setShortcuts([QKeySequence(keys) for keys in command.keys])
        action.setToolTip(_tip(action, command))
        if command.group:
            group = self._groups.setdefault(command.group, QActionGroup(window))
            group.addAction(action)
        window.addAction(action)
        return action


def _tip(action: QAction, command: Command) -> str:
    """What it does, and its key."""
    keys = f"  ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})" if command.keys else ""
    return f"{command.tip or command.text}{keys}"
