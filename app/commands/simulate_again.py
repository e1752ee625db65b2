"""`simulate --from FILE`: repeat a recorded run, as recorded or under another controller."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import UsageError, note, note_remarks, unit
from armature.app.commands.own_law_arguments import is_file, own_law, refuse_own_law_options
from armature.app.commands.progress_line import Progress
from armature.app.commands.sensor_arguments import sensors_of
from armature.app.commands.stop_signals import Stopped, stopped_by_signals
from armature.engine import ConstantTorque, DivergenceError, default_gains, load_recording, load_robot, resimulate
from armature.engine.control.control_laws import FREQUENCY
from armature.engine.errors import ModelError
from armature.engine.model.robot import Robot
from armature.engine.recording.recording import Recording
from armature.engine.recording.recording_columns import Layout
from armature.engine.recording.recording_formats import format_of

_RECORDED = (
    "duration",
    "disturbance",
    "trajectory",
    "rounds",
    "dt",
    "integrator",
    "q0",
    "qd0",
    "cell",
    "stop_at_contact",
    "realtime",
)
"""Options that a recording already sets."""

SAME = "none, bit-identical"


def simulate_again(args) -> int:
    """Repeat the run, print its summary and record it; return 0, or 1 if it diverged."""
    for name in _RECORDED:
        if vars(args)[name]:
            raise UsageError(f"--{name.replace('_', '-')} cannot be used with --from: the recording sets it")
    if sensors_of(args) is not None:
        raise UsageError("sensors cannot be given with --from: the recording sets them")
    if args.controller is None and (args.frequency or args.unknown_payload):
        raise UsageError("--frequency and --unknown-payload need --controller")
    refuse_own_law_options(args)
    if args.record:
        format_of(args.record)
    recording = load_recording(args.source)
    note_remarks(args.source.name, recording.remarks)
    robot = _robot(args.robot, recording)
    law = None if args.controller is None else _law(args, robot, recording)
    progress = Progress(recording.duration)
    share = recording.duration / max(len(recording), 1)
    with stopped_by_signals():
        try:
            again = resimulate(
                recording,
                robot,
                lambda done, _: progress.show(done * share),
                controller=law,
                knows_payload=not args.unknown_payload,
                allow_code=args.allow_code,
            )
            progress.clear()
            kept = again.save(args.record) if args.record else None
        except DivergenceError as error:
            progress.clear()
            note(f"{error}; no recording was saved" if args.record else str(error))
            return 1
        except KeyboardInterrupt as stop:
            progress.clear()
            note("stopped; no recording was saved" if args.record else "stopped")
            return stop.code if isinstance(stop, Stopped) else 130
    note_remarks(args.source.name, again.remarks)
    print("\n".join(_summary(robot, recording, again, args, kept)), flush=True)
    return 0


def _robot(given: str | None, recording: Recording) -> Robot:
    """The robot's file as it is now; whether it is the recorded one, `resimulate` looks."""
    place = given or str(recording.metadata.get("source") or "") or recording.robot_name
    if not place:
        raise UsageError("the recording cannot be simulated again: it names neither its robot nor its conditions")
    try:
        return load_robot(place)
    except ModelError as error:
        if given:
            raise
        raise UsageError(f"{error}; give its path as ROBOT") from None


def _law(args, robot: Robot, recording: Recording):
    if args.controller == "none":
        return ConstantTorque(0.0)
    if is_file(args.controller):
        return own_law(args)
    return default_gains(robot, args.controller, args.frequency or FREQUENCY, recording.q[0])


def _summary(robot: Robot, before: Recording, again: Recording, args, kept: Path | None) -> list[str]:
    """Where it ends, and how far it was from the recording at most."""
    under = f" under {args.controller}" if args.controller else ""
    lines = [f"{robot.name}: {args.source.name} again{under}, {again.duration:.6g} s, {len(again):,} samples"]
    width = max(10, *(len(name) for name in robot.joint_names))
    for k, name in enumerate(robot.joint_names):
        ends = f"q {again.q[-1, k]:+.6f} {unit(robot, k)}, qd {again.qd[-1, k]:+.6f} {unit(robot, k)}/s"
        lines.append(f"  {name.ljust(width)}  {ends}")
    difference = _difference(robot, before, again)
    lines.append(f"  {'difference'.ljust(width)}  {difference}")
    if difference != SAME and not args.controller:
        lines += [f"  {name.ljust(width)}  {text}" for name, text in _made_elsewhere(before, again).items()]
    return lines + ([f"  {'written'.ljust(width)}  {len(again):,} samples in {kept}"] if kept else [])


def _made_elsewhere(before: Recording, again: Recording) -> dict[str, str]:
    """Version and processor that the recording was made with, where these are others, which may round differently."""
    told = {}
    for key, what in (("version", "version"), ("target", "processor")):
        made, here = (str(recording.metadata.get(key) or "") for recording in (before, again))
        if made and made != here:
            told[what] = f"recorded with {made}, repeated with {here}; rounding may differ"
    return told


def _difference(robot: Robot, before: Recording, again: Recording) -> str:
    """The largest in q, else the first in any column, and how many rows of the recording hold NaN."""
    tables = before.table(), again.table()
    off = np.abs(tables[1] - tables[0])
    of_joints = off[:, Layout(len(robot.joint_names)).group("q")]
    missing = int(np.isnan(tables[0]).any(axis=1).sum())
    whole = f"in the rows without NaN; {missing:,} of {len(off):,} rows not compared" if missing else ""
    if np.nanmax(of_joints, initial=0.0) > 0:
        row, joint = divmod(int(np.nanargmax(of_joints)), of_joints.shape[1])
        most = f"max. {of_joints[row, joint]:.3g} {unit(robot, joint)} at {robot.joint_names[joint]}, t = {again.t[row]:.6g} s"
        return f"{most}, {whole}" if whole else most
    if (off > 0).any():
        row, column = np.argwhere(off > 0)[0]
        first = (
            f"q is identical; first difference in {before.columns[column]} at t = {again.t[row]:.6g} s: {off[row, column]:.3g}"
        )
        return f"{first}, {whole}" if whole else first
    return f"none {whole}" if whole else SAME
