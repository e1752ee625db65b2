"""`import FILE`: convert the log of a real robot into a recording."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import (
    Parser,
    UsageError,
    above_0,
    positive_seconds,
    refuse_existing,
    robot_of,
    whole_number,
)
from armature.app.commands.progress_line import Progress
from armature.app.commands.stop_signals import stopped_by_signals
from armature.engine import import_log
from armature.engine.recording.measured.log_mapping import FIT, GROUPS, TIMES, TORQUES
from armature.engine.recording.measured.read_log import log_file
from armature.engine.recording.measured.text_form import DECIMALS, SEPARATORS
from armature.engine.recording.recording_formats import format_of

_SEPARATORS = {name: mark for mark, name in SEPARATORS.items()}
_DECIMALS = {name: mark for mark, name in DECIMALS.items()}


def parser() -> Parser:
    """Return the argument parser of `import`."""
    result = Parser(
        prog="armature import",
        description=(
            "Converts the log of a real robot into a recording. Reads text tables with any separator, arrays of NumPy (.npz)\n"
            "or MATLAB (.mat), and ROS 2 bags (.mcap) of joint states. Columns and units that you do not give are guessed\n"
            "and printed."
        ),
        epilog=(
            "examples:\n"
            "  armature import log.csv --robot ur5\n"
            "  armature import log.csv measured.mcap --robot my_arm.toml --degrees --cutoff 5\n"
            "  armature import run.csv --robot panda --time ms_since_start --time-unit ms --q J1,J2,J3,J4,J5,J6,J7\n"
            "  armature import run.npz --robot ur5 --tau ,,i3,,, --torque-unit A --torque-constants 11,11,11,9,9,9"
        ),
    )
    result.add_argument("log", metavar="FILE", type=Path, help="log file, or the shipped log ur5")
    result.add_argument("target", metavar="OUT", nargs="?", type=Path, help="recording to write (default: FILE.recording.npz)")
    result.add_argument("--robot", metavar="ROBOT", required=True, help="shipped robot or robot file")
    columns = result.add_argument_group("columns and units (lists: one column name per joint, left empty where a joint has none)")
    columns.add_argument("--time", metavar="NAME", help="time column; '' if the log has none (then give --period)")
    columns.add_argument(
        "--time-unit", choices=TIMES, help="unit of the time column; samples: the column counts rows, one per --period"
    )
    columns.add_argument(
        "--period", metavar="S", type=positive_seconds, help="time from row to row in s, if no column holds the time"
    )
    for name, what in (("q", "positions"), ("qd", "speeds"), ("tau", "torques or currents")):
        columns.add_argument(f"--{name}", metavar="NAMES", help=f"columns of the {what}")
    angles = columns.add_mutually_exclusive_group()
    angles.add_argument("--degrees", action="store_true", default=None, help="angles are in degrees")
    angles.add_argument("--radians", action="store_false", dest="degrees", help="angles are in radians")
    angles.add_argument(
        "--normalised",
        action="store_true",
        help="positions are -100 at the lower and 100 at the upper limit of each joint (gripper: 0 to 100)",
    )
    columns.add_argument("--torque-unit", choices=TORQUES, help="unit of --tau")
    columns.add_argument("--torque-constants", metavar="LIST", help="N·m/A per joint, or fit: fitted to the torques of the model")
    columns.add_argument("--keep-turns", action="store_true", help="do not unwrap angles that jump by one turn")
    made = result.add_argument_group("processing")
    made.add_argument("--rate", metavar="HZ", type=above_0("Hz", 1e5), help="samples per second (default: the rate of the log)")
    made.add_argument(
        "--cutoff",
        metavar="HZ",
        type=above_0("Hz", 1e5),
        help="cut-off of the zero-phase filter (default: the lower of 10 and rate / 5)",
    )
    made.add_argument("--max-gap", metavar="S", type=positive_seconds, help="longest gap in s that is interpolated")
    made.add_argument("--overwrite", action="store_true", help="replace an existing file")
    text = result.add_argument_group("format of a text file")
    text.add_argument("--separator", choices=_SEPARATORS, help="field separator")
    text.add_argument("--decimal", choices=_DECIMALS, help="decimal mark")
    text.add_argument(
        "--first-line",
        metavar="N",
        type=whole_number("a line number", 1, 1_000_000),
        default=0,
        help="first line of numbers",
    )
    text.add_argument(
        "--missing",
        metavar="WORDS",
        default="",
        help="texts that mean a missing value, such as ERR,n/a; '*': any text that is not a number",
    )
    return result


def run(args) -> int:
    """Import the log; print the column mapping and the processing; return the exit code."""
    log = log_file(args.log)
    target = args.target or args.log.with_name(f"{args.log.stem}.recording.npz")
    format_of(target)
    refuse_existing(target, args.overwrite)
    if target.exists() and log.exists() and target.samefile(log):
        raise UsageError(f"{target}: the recording would overwrite the log; choose another name")
    robot = robot_of(args.robot)
    lists = dict(zip(GROUPS, (args.q, args.qd, args.tau), strict=True))
    columns = {group: [name.strip() for name in text.split(",")] for group, text in lists.items() if text is not None}
    progress = Progress(100, "%")
    with stopped_by_signals():
        try:
            recording = import_log(
                log,
                robot,
                ({"t": args.time.strip()} if args.time is not None else {}) | columns or None,
                args.degrees,
                normalised=args.normalised,
                time_unit=args.time_unit,
                period=args.period,
                torque_unit=args.torque_unit,
                torque_constants=_constants(args.torque_constants),
                rate=args.rate,
                cutoff=args.cutoff,
                max_gap=args.max_gap,
                unwrap=not args.keep_turns,
                separator=_SEPARATORS.get(args.separator, ""),
                decimal=_DECIMALS.get(args.decimal, ""),
                first_line=args.first_line,
                missing=[word.strip() for word in args.missing.split(",") if word.strip()],
                progress=lambda done, total: progress.show(100 * done / max(total, 1)),
            )
            written = recording.save(target)
        finally:
            progress.clear()
    taken = recording.metadata["imported"]
    for line in (*_taken(taken, robot), *(note for note in taken["notes"] if note not in taken["warnings"])):
        print(f"  {line}")
    for line in taken["warnings"]:
        print(f"  warning: {line}")
    print(f"{args.log} → {written}, {len(recording):,} samples, {recording.duration:.6g} s", flush=True)
    return 0


def _taken(taken, robot) -> list[str]:
    """What was taken for what, a line per quantity."""
    columns, units = taken["columns"], taken["units"]
    lines = [f"t: {columns['time'] or 'the rows'} [{units['time']}]"]
    for group, unit in (("q", units["angle"]), ("qd", f"{units['speed']}/s"), ("tau", units["torque"])):
        pairs = [f"{joint} = {name}" for joint, name in zip(robot.joint_names, columns[group], strict=True) if name]
        lines += [f"{group} [{unit}]: {', '.join(pairs)}"] if pairs else []
    return lines


def _constants(text: str | None) -> list[float] | str | None:
    if text is None or text == FIT:
        return text
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise UsageError(f"--torque-constants: {text!r} is neither a list of numbers nor {FIT}") from None
