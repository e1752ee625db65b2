"""`replay FILE`: play a recording in the window, or print it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, above_0, note, note_remarks
from armature.app.plots.recorded_signals import panes
from armature.app.recording.recording_owner import joints, named_in
from armature.engine import load_recording, load_robot, shipped_robots
from armature.engine.model.xacro.xacro_place import file_of
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import joints_of
from armature.engine.recording.recording_reader import open_recording


def parser() -> Parser:
    """Return the argument parser of `replay`."""
    result = Parser(
        prog="armature replay",
        description="Plays a recording in the window, or prints it at recorded speed.",
        epilog=(
            "examples:\n"
            "  armature replay fall.mcap\n"
            "  armature replay fall.csv --robot my_puma.toml\n"
            "  armature replay fall.csv --print --signals q --rate 10 --speed 0.5"
        ),
    )
    result.add_argument("recording", metavar="FILE", type=Path, help="recording to play")
    result.add_argument(
        "--robot", metavar="ROBOT", help="robot of the recording, a name or a file; needed if the recording does not name it"
    )
    result.add_argument("--print", action="store_true", help="print text instead of opening the window; needs no display")
    result.add_argument("--signals", metavar="LIST", default="q", help="signals to print, named as for plot (default: q)")
    result.add_argument(
        "--rate", metavar="HZ", type=above_0("lines printed per second", 1e6), default=20.0, help="lines per second (default: 20)"
    )
    result.add_argument(
        "--speed",
        metavar="X",
        type=above_0("recorded seconds per real second", 1e6),
        default=1.0,
        help="playback speed (default: 1)",
    )
    return result


def run(args) -> int:
    """Play or print the recording; return the exit code."""
    if not args.print:
        return show(args.recording, args.robot)
    if args.robot:
        with open_recording(args.recording) as file:
            names = joints_of(file.columns)
        _compare(args.robot, args.recording, names)
    return _print(load_recording(args.recording), args)


def show(path: Path, given: str | None = None) -> int:
    """Opens the recording in the window, on its robot or the one given; raises EngineError or UsageError before there is one."""
    from armature.app.commands.virtual_screen import has_display

    with open_recording(path) as file:  # only its head: the window reads it beside itself
        name, source = str(file.metadata.get("robot") or ""), str(file.metadata.get("source") or "")
        names = joints_of(file.columns)
    robot = given or robot_named(path, name, source, len(names))
    if given:
        _compare(given, path, names)
    if not os.environ.get("QT_QPA_PLATFORM") and not has_display():
        raise UsageError("no display for the window (DISPLAY is not set); --print works without one")
    from armature.app import application

    return application.run(robot, str(path), bool(given))


def _compare(given: str, path: Path, names: tuple[str, ...]) -> None:
    """Refuses a robot with more or fewer joints than a recording; notes where they are only called otherwise."""
    robot = load_robot(given)
    if robot.n != len(names):
        raise UsageError(f"--robot: {given} has {joints(robot.n)}, {path.name} {joints(len(names))}")
    if tuple(robot.joint_names) != names:
        there = f"{', '.join(names)} in {path.name}"
        note(f"--robot: the joint names differ, {there} and {', '.join(robot.joint_names)} in {given}; matched by order")


def robot_named(path: Path, name: str, source: str, n: int) -> str:
    """Return the robot that a recording names, by name or file; raises UsageError where it has to be given."""
    name = name or named_in(path)
    robot = name if name in shipped_robots() else source if file_of(Path(source)).is_file() else ""
    if robot:
        return robot
    why = f"its robot {name} was not found" if name else "the recording does not name its robot"
    fit = [shipped for shipped in shipped_robots() if load_robot(shipped).n == n]
    having = f"; shipped robots with {joints(n)}: {', '.join(fit)}" if fit else ""
    raise UsageError(f"{path.name}: {why}; give it with --robot{having}")


def _print(recording: Recording, args) -> int:
    note_remarks(args.recording.name, recording.remarks)
    try:
        chosen = panes(recording, tuple(name.strip() for name in args.signals.split(",") if name.strip()))
    except ValueError as error:
        raise UsageError(f"--signals: {error}") from None
    names = [name for pane in chosen for name in pane.names]
    values = np.hstack([np.empty((len(recording), 0)), *(pane.values for pane in chosen)])
    widths = [max(11, len(name)) for name in names]
    print("  ".join([f"{'t':>10}", *(name.rjust(width) for name, width in zip(names, widths))]), flush=True)
    begin, last = time.monotonic(), -np.inf
    t = recording.t - recording.t[0]
    for k in range(len(t)):
        if t[k] - last < args.speed / args.rate * (1 - 1e-9) and k < len(t) - 1:
            continue
        last = t[k]
        time.sleep(min(max(0.0, begin + t[k] / args.speed - time.monotonic()), threading.TIMEOUT_MAX))
        print("  ".join([f"{recording.t[k]:10.4f}", *(f"{x:{width}.6f}" for x, width in zip(values[k], widths))]), flush=True)
    return 0
