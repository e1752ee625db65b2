"""Draw an arm and save the picture, with or without a display."""

from __future__ import annotations

import atexit
import math
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from armature.app.commands.command_arguments import UsageError, check_writable, joint_values, note, robot_of
from armature.app.commands.virtual_screen import has_display, run_under_xvfb
from armature.app.pictures.pose_text import values
from armature.app.scene.camera.camera import STANDARD_VIEWS
from armature.app.scene.overlays.dh_walk import DHStep, DHWalk
from armature.app.scene.overlays.newton_euler.rnea_walk import RneaMoment, RneaWalk
from armature.app.scene.overlays.newton_euler.rnea_words import title
from armature.app.state.choices.overlay_choices import OVERLAYS
from armature.app.state.recognised_file import SESSIONS
from armature.app.state.shared_sentences import no_masses
from armature.app.state.units import Units
from armature.engine import Cell, Robot, frame_pose, ik, load_cell
from armature.engine.contact.shapes import FLOOR
from armature.engine.kinematics.ik import path_ik
from armature.engine.kinematics.task import movable_task
from armature.engine.model.joint_ranges import outside_limits
from armature.engine.rotations import rotation

if TYPE_CHECKING:
    from armature.app.scene.picture import Picture
    from armature.app.session.session_file import SavedSession

SHOWABLE = (*OVERLAYS, "singular_surfaces")
SHAPED = tuple(name for name in OVERLAYS if name != "workspace")  # which is sampled
SHOWN = "frames", "grid"
DEFAULT_POSE = "home"
_applications: list = []  # begun here, and kept as long as the process


def run(args) -> int:
    """Write `args.out`: the robot at a pose or q, at `args.size`, with the overlays of `args.show`; returns the exit code."""
    again, session = same_arguments(args), session_of(args)
    robot = robot_of(args.robot) if session is None else session.arm.robot
    q, caption = posed(robot, args)
    if args.drag is not None:
        q, caption = dragged(robot, q, *args.drag)
    step = None if args.dh_step is None else dh_step(robot, q, args.dh_step)
    if step is not None:
        caption = f"Step {step.number} of {step.count}:  {step.sentence(Units())}"
    moment = None
    if args.rnea_step is not None:
        moment, caption = rnea_moment(robot, q, args)
    elif moving := [f"--{name}" for name in ("qd", "qdd") if getattr(args, name) is not None]:
        raise UsageError(f"{moving[0]} is only valid with --rnea-step")
    if args.without_contacts and not has_workspace(args):
        raise UsageError("--without-contacts is only valid with --workspace")
    if args.cell is not None:
        load_cell(args.cell)  # a bad file is reported before there is a picture
    check_shown(args.show)
    check_writable(Path(args.out))
    if not has_display():
        return run_under_xvfb(again)
    note_outside(robot, q, args)
    return draw(robot, q, caption, step, moment, args, session)


def session_of(args) -> SavedSession | None:
    """The session to draw, None for a robot; the session also provides the options that were omitted."""
    session = None
    if Path(args.robot).suffix.lower() in SESSIONS:
        from armature.app.session.session_file import load_session

        folder = Path(tempfile.mkdtemp(prefix="armature-session-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        session = load_session(Path(args.robot), folder, folder)
        for remark in session.remarks:
            note(f"{args.robot}: omitted: {remark}")
        if args.q is None and args.pose is None and session.file.pose.q:
            args.q = np.array(session.file.pose.q)
        view = session.file.view
        args.show = (
            args.show if args.show is not None else tuple(name for name, on in view.overlays.items() if on and name in SHAPED)
        )
        args.projection = args.projection or ("orthographic" if view.orthographic else None)
    args.show = SHOWN if args.show is None else args.show
    args.projection = args.projection or "perspective"
    return session


def has_workspace(args) -> bool:
    """Return whether the picture shows the workspace."""
    return args.workspace is not None or "workspace" in (args.show or ())


def dragged(robot: Robot, q, axis: str, amount: float):
    """Where the arm is after its hand was dragged along or about a world axis by m or rad, and the words for it."""
    movable = movable_task(robot)
    if axis not in movable:
        raise UsageError(f"--drag: the tool of {robot.name} cannot be moved along {axis!r}; valid: {', '.join(movable)}")
    X, k = frame_pose(robot, q), "xyz".index(axis[-1])
    if axis.startswith("r"):
        turn = np.eye(3)[k] * amount
        X[:3, :3] = rotation(turn) @ X[:3, :3]
    else:
        X[k, 3] += amount
    found = ik(robot, X, q0=q, restarts=0) if axis.startswith("r") else path_ik(robot, X, q, restarts=0)
    if not found.success:
        raise UsageError(f"--drag: the tool cannot reach this pose: {found.reason}")
    return found.q, f"dragged:  q = {values(robot, found.q)}"


def dh_step(robot: Robot, q, p: float) -> DHStep:
    """The moment of the DH walk after p moves."""
    walk = DHWalk(robot, q)
    if not 0 <= p <= walk.count:
        raise UsageError(f"--dh-step: {robot.name} has {walk.count} steps; give 0 to {walk.count}, not {p:g}")
    return walk.step(p)


def rnea_moment(robot: Robot, q, args) -> tuple[RneaMoment, str]:
    """The moment of recursive Newton–Euler after so many moves, and the words for it."""
    if not robot.has_dynamics:
        raise UsageError(f"--rnea-step: {no_masses(robot.name)}")
    p, count = args.rnea_step, 3 * len(robot.bodies)
    if not 0 <= p <= count:
        raise UsageError(f"--rnea-step: {robot.name} has {count} steps; give 0 to {count}, not {p:g}")
    qd = np.zeros(robot.n) if args.qd is None else joint_values(robot, "--qd", args.qd)
    qdd = np.zeros(robot.n) if args.qdd is None else joint_values(robot, "--qdd", args.qdd)
    walk = RneaWalk(robot, q, qd, qdd)
    move = walk.move(p)
    return walk.moment(p), f"Step {move.number} of {count}:  {title(walk, move)}"


def posed(robot: Robot, args):
    """Joint positions `(n,)` and the words for them in the caption."""
    if args.q is not None:
        q = joint_values(robot, "--q", args.q) if isinstance(args.q, str) else args.q
        if len(q) != robot.n:
            raise UsageError(f"--q: {robot.name} has {robot.n} joints ({', '.join(robot.joint_names)}), got {len(q)} values")
        return q, "q = " + values(robot, q)
    name = args.pose or DEFAULT_POSE
    if name not in robot.configurations:
        raise UsageError(f"--pose: {robot.name} has no pose {name!r}; it has {', '.join(robot.configurations)}")
    return robot.configurations[name], f"{name}:  q = {values(robot, robot.configurations[name])}"


def note_outside(robot: Robot, q, args) -> None:
    """A warning of joints that are drawn outside their limits."""
    if outside := outside_limits(robot, q):
        option = "--q" if args.q is not None else f"--pose {args.pose or DEFAULT_POSE}"
        note(f"{option}: drawn as given, but outside the joint limits: {outside}")


def check_shown(names) -> None:
    """Raise UsageError for something that cannot be shown."""
    for name in names or ():
        if name not in SHOWABLE:
            raise UsageError(f"--show: unknown overlay {name!r}; valid: {', '.join(SHOWABLE)}")


def same_arguments(args) -> list[str]:
    """The command line again, for the same command on a virtual screen."""
    command = ["screenshot", str(args.robot), str(args.out)]
    if args.q is not None:
        command.append("--q=" + (args.q if isinstance(args.q, str) else " ".join(map(repr, map(float, args.q)))))
    elif args.pose:
        command.append(f"--pose={args.pose}")
    command += [f"--size={args.size[0]}x{args.size[1]}", f"--theme={args.theme}"]
    command += [] if args.show is None else [f"--show={','.join(args.show)}"]
    command += [] if args.view is None else [f"--view={','.join(repr(v) for v in args.view if v is not None)}"]
    command += [] if args.projection is None else [f"--projection={args.projection}"]
    if args.drag is not None:
        axis, amount = args.drag
        command.append(f"--drag={axis}={math.degrees(amount) if axis.startswith('r') else amount!r}")
    if args.workspace is not None:
        style, cut, share = args.workspace
        command.append(f"--workspace={style}" + (f",{'xyz'[cut]},{share:.6f}" if cut >= 0 else ""))
    command += ["--caption" if args.caption else "--no-caption", *["--transparent"] * args.transparent]
    command += ["--corner" if args.corner else "--no-corner"]
    if args.cell is not None:
        command.append(f"--cell={args.cell}")
    command += ["--without-contacts"] * args.without_contacts
    if args.dh_step is not None:
        command.append(f"--dh-step={args.dh_step!r}")
    if args.rnea_step is not None:
        command.append(f"--rnea-step={args.rnea_step!r}")
    command += [f"--{name}={value}" for name, value in (("qd", args.qd), ("qdd", args.qdd)) if value is not None]
    return command


def arm_picture(robot: Robot, q, dark: bool) -> Picture:
    """The arm with its shapes, in an application that is begun where there is none; a display answers."""
    from PySide6.QtWidgets import QApplication

    from armature.app.scene.gl import gl_format

    if QApplication.instance() is None:
        gl_format.configure()
        _applications.append(QApplication(sys.argv[:1]))
    gl_format.match_pyopengl()
    from armature.app.robots.meshes import arm_meshes
    from armature.app.robots.meshes.mesh_cache import MeshCache
    from armature.app.scene.picture import Picture

    shapes = arm_meshes.load(robot, "visual", None, MeshCache()) or arm_meshes.ArmMeshes()
    for problem in shapes.problems:
        print(f"note: {problem}", file=sys.stderr)
    return Picture(robot, q, dark, shapes.solids)


def show_cell(picture: Picture, cell: Cell) -> None:
    """Draw the objects of a cell, colour what touches, and write why."""
    from armature.app.cell.object_meshes import drawn_objects  # OpenGL: not for every command
    from armature.app.scene.overlays.clearance_item import shown_contacts

    view, robot = picture.view, picture.robot
    view.stage.cell.set_objects(drawn_objects(cell, robot))
    view.set_contacts(shown_contacts(robot, cell.objects))
    view.set_q(view.q)


def draw(
    robot: Robot, q, caption: str, step: DHStep | None, moment: RneaMoment | None, args, session: SavedSession | None
) -> int:
    """Draw and write the picture, with the remaining values of a `SavedSession`; a display answers."""
    picture = arm_picture(robot, q, args.theme == "dark")
    from armature.app.scene.gl.offscreen_picture import RenderError
    from armature.engine import singular_surfaces, singularity, workspace

    if "lost_motion" in (args.show or ()) and (report := singularity(robot, q)).level():
        caption += f".  {report.reason}"
    try:
        picture.show(args.show or (), args.corner)
        if args.cell is not None:
            show_cell(picture, load_cell(args.cell))
        elif session is not None and session.cell is not None and session.cell.names not in ((), (FLOOR,)):
            show_cell(picture, session.cell)
        if has_workspace(args):
            cell = None if not args.without_contacts else Cell() if args.cell is None else load_cell(args.cell)
            picture.show_workspace(workspace(robot, cell=cell), *(args.workspace or ("points", -1, 0.5)))
        if "singular_surfaces" in (args.show or ()):
            picture.show_surfaces(singular_surfaces(robot, q), *(args.workspace or ("points", -1, 0.5))[1:])
        if args.drag is not None:
            picture.show_drag(*args.drag)
        if step is not None:
            picture.view.set_dh_step(step, step.value(Units()))
        if moment is not None:
            picture.view.set_rnea_step(moment)
        azimuth, elevation, distance = args.view or (*STANDARD_VIEWS["iso"], None)
        picture.look(azimuth, elevation, distance, orthographic=args.projection == "orthographic")
        if session is not None:
            picture.view.stage.trace.restore(session.trace)
            picture.recall(tuple(session.file.view.camera) if args.view is None else ())
        width, height = args.size
        image = picture.image(width, height, caption if args.caption else "", args.transparent)
    except RenderError as error:
        raise UsageError(f"screenshot: {error}") from None
    finally:
        picture.close()
    from armature.app.scene.picture_file import save_picture  # Qt: not for every command

    save_picture(image, args.out)
    return 0
