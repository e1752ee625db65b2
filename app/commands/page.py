"""`page FILE OUT.html`: write an arm, a trajectory or a recording as one web page."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import (
    Parser,
    UsageError,
    note_remarks,
    refuse_existing,
    robot_of,
    robot_of_trajectory,
)
from armature.app.plots.recorded_signals import NAMES, available, panes
from armature.app.recording.recording_owner import joints
from armature.app.state.recognised_file import LOG, RECORDING, SESSION, TRAJECTORY, kind_of_file
from armature.engine import Cell, Recording, load_cell, load_recording, load_trajectory
from armature.engine.files import shipped, shipped_or_path
from armature.engine.recording.recording_metadata import recorded_cell

SUFFIXES = (".html", ".htm")


def parser() -> Parser:
    """Return the argument parser of `page`."""
    result = Parser(
        prog="armature page",
        description=(
            "Writes one HTML file that opens in any browser without a network: the arm in 3D with joint sliders, or a recording\n"
            "or trajectory with its plots."
        ),
        epilog=(
            "examples:\n"
            "  armature page panda panda.html\n"
            "  armature page fall.csv fall.html --signals q,tau --notes 'Fall without a controller'\n"
            "  armature page pick_place_puma560 pick.html --cell my_cell.toml"
        ),
    )
    result.add_argument("file", metavar="FILE", help="recording, trajectory or robot, a file or an included name")
    result.add_argument("out", metavar="OUT.html", type=Path, help="page to write")
    result.add_argument("--robot", metavar="ROBOT", help="robot of a recording or trajectory (default: the one that it names)")
    cell = "cell file, or the name of an included cell, to draw around the arm (default: the included one of the recording)"
    result.add_argument("--cell", metavar="FILE", help=cell)
    signals = f"plots of a recording, of {','.join(NAMES)} (default: all except measured and error)"
    result.add_argument("--signals", metavar="LIST", help=signals)
    result.add_argument("--title", metavar="TEXT", help="title of the page (default: name of the file)")
    result.add_argument("--notes", metavar="TEXT", default="", help="text below the plots")
    result.add_argument("--overwrite", action="store_true", help="replace an existing file")
    return result


def run(args) -> int:
    """Write the page; return the exit code."""
    if args.out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{args.out}: a page must be saved as .html")
    refuse_existing(args.out, args.overwrite)
    robot, motion, what, cell = _read(args)
    from armature.app.page.page_content import content  # with meshes, which an error in the arguments need not load
    from armature.app.page.page_file import write_page

    q = robot.configurations["home"] if motion is None else motion.q[0]
    title = args.title or (robot.title if motion is None else Path(args.file).stem)
    write_page(args.out, title, what, content(robot, q, motion, cell, args.notes))
    print(f"{args.file} → {args.out}", flush=True)
    return 0


def _read(args):
    """The robot, its motion or None, a line that describes them, and the cell or None. Raises UsageError, EngineError."""
    from armature.app.page.page_content import motion_of_recording, motion_of_trajectory

    cell = None if args.cell is None else load_cell(args.cell)
    file = shipped_or_path(args.file, "assets", "trajectories")
    kind = kind_of_file(file) if file.is_file() else ""
    if not kind and file.suffix:
        raise UsageError(f"{args.file}: file not found")
    if kind == LOG:
        raise UsageError(f"{args.file}: is not a recording of Armature; convert a log with armature import")
    if kind == SESSION:
        raise UsageError(f"{args.file}: is a session; open it and use File ▸ Export ▸ Web page…")
    if kind not in (RECORDING, TRAJECTORY) and (args.robot or args.signals):
        raise UsageError(f"--{'robot' if args.robot else 'signals'} is only valid for a recording or trajectory")
    if kind == TRAJECTORY:
        if args.signals:
            raise UsageError("--signals is only valid for a recording")
        robot = robot_of_trajectory(file, args.robot)
        trajectory = load_trajectory(args.file, robot)
        what = f"{robot.title}, trajectory of {trajectory.duration:.3g} s"
        return robot, motion_of_trajectory(robot, trajectory), what, cell
    if kind != RECORDING:
        robot = robot_of(args.file)
        return robot, None, f"{joints(robot.n)}, reach {robot.reach:.3g} m", cell
    recording = load_recording(file)
    note_remarks(file.name, recording.remarks)
    robot = robot_of(args.robot or _robot_of(file, recording))
    if robot.n != len(recording.joint_names):
        raise UsageError(f"{file.name}: has {joints(len(recording.joint_names))}, but {robot.name} has {joints(robot.n)}")
    given = None if args.signals is None else tuple(filter(None, map(str.strip, args.signals.split(","))))
    try:
        chosen = panes(recording, available(recording) if given is None else given)
    except ValueError as error:
        raise UsageError(f"--signals: {error}") from None
    what = f"{robot.title}, recording of {recording.duration:.3g} s"
    return robot, motion_of_recording(recording, robot, chosen), what, _recorded_cell(recording) if cell is None else cell


def _recorded_cell(recording: Recording) -> Cell | None:
    """The included cell in which a recording was made, if it is the same."""
    name, digest = recorded_cell(recording.metadata) or ("", "")
    file = shipped("assets", "cells", f"{name}.toml") if name.isidentifier() else None
    cell = load_cell(name) if file is not None and file.is_file() else None
    return cell if cell is not None and cell.hash == digest else None


def _robot_of(file: Path, recording: Recording) -> str:
    """The robot that a recording names. Raises UsageError."""
    from armature.app.commands.replay import robot_named

    return robot_named(file, recording.robot_name, str(recording.metadata.get("source") or ""), len(recording.joint_names))
