"""`identify RECORDING…`: identify the parameters of an arm from recordings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, above_0, note, refuse_existing, robot_of
from armature.app.commands.progress_line import Progress
from armature.app.commands.stop_signals import stopped_by_signals
from armature.engine import Identification, identify, load_recording
from armature.engine.identification.coupled_drives import coupling_of
from armature.engine.identification.identified_robot import save_identified

_WIDEST = 44  # letters of a parameter's name


def parser() -> Parser:
    """Return the argument parser of `identify`."""
    result = Parser(
        prog="armature identify",
        description=(
            "Identifies masses, inertias and friction of an arm from recordings of its motion and torques. Prints the base\n"
            "parameters with standard deviations. --out saves a physically consistent model as a robot file."
        ),
        epilog=(
            "examples:\n"
            "  armature identify run1.npz run2.npz --robot panda --validation run3.npz --out my_panda.toml\n"
            "  armature identify pick.npz --robot puma560 --payload"
        ),
    )
    result.add_argument("recordings", metavar="RECORDING", nargs="+", type=Path, help="recording used for the fit")
    result.add_argument("--robot", metavar="ROBOT", required=True, help="shipped robot or robot file")
    result.add_argument(
        "--validation",
        metavar="FILE",
        action="append",
        default=[],
        type=Path,
        help="recording used only to validate the result",
    )
    result.add_argument("--out", metavar="FILE", type=Path, help="robot file to write, .toml")
    result.add_argument("--overwrite", action="store_true", help="replace an existing file")
    what = result.add_argument_group("options of the fit")
    what.add_argument("--no-friction", action="store_true", help="do not identify friction; use the robot file's")
    what.add_argument("--no-offsets", action="store_true", help="do not fit a torque offset per joint")
    what.add_argument("--rotor", action="store_true", help="identify rotor inertias too")
    what.add_argument(
        "--coupled",
        metavar="JOINTS",
        action="append",
        default=[],
        help='motor that drives several joints; give its speed as a sum of joint speeds: joint5+joint6, "joint5 - 0.5*joint6"',
    )
    what.add_argument(
        "--payload", action="store_true", help="identify only the payload and friction; use the arm's masses from its file"
    )
    what.add_argument(
        "--currents", action="store_true", help="the torque columns are motor currents; also identify the drive gains"
    )
    made = result.add_argument_group("filters")
    made.add_argument(
        "--cutoff", metavar="HZ", type=above_0("Hz", 1e5), help="cut-off of the position filter (default: from the motion)"
    )
    made.add_argument(
        "--rate", metavar="HZ", type=above_0("Hz", 1e5), help="rows per second used in the fit (default: from the motion)"
    )
    return result


def run(args) -> int:
    """Identify the parameters and print them as tables; return the exit code."""
    if args.out is not None:
        if args.out.suffix.lower() != ".toml":
            raise UsageError(f"--out: {args.out}: a robot must be saved as .toml")
        refuse_existing(args.out, args.overwrite)
    _refuse_repeated([*args.recordings, *args.validation])
    robot = robot_of(args.robot)
    progress = Progress(100, "%")
    with stopped_by_signals():
        try:
            found = identify(
                [load_recording(path) for path in args.recordings],
                robot,
                validation=[load_recording(path) for path in args.validation],
                friction=not args.no_friction,
                offsets=not args.no_offsets,
                rotor=args.rotor,
                couplings=[coupling_of(text) for text in args.coupled],
                payload=args.payload,
                currents=args.currents,
                cutoff=args.cutoff,
                rate=args.rate,
                progress=lambda fraction: progress.show(100 * fraction),
            )
        finally:
            progress.clear()
    for line in (*_how(found), *_parameters(found), "", *_residuals(found)):
        print(line)
    for sentence in (*found.provenance["consistency"], *found.provenance["scale"]):
        print(sentence)
    for finding in found.findings:
        note(finding.sentence)
    if args.out is not None:
        print(f"\nidentified arm → {save_identified(found, args.out)}", flush=True)
    return 0


def _refuse_repeated(paths: list[Path]) -> None:
    """Raises UsageError for two that are one file: its samples would count twice, or be held out from themselves."""
    seen: dict[tuple[int, int], Path] = {}
    for path in filter(Path.exists, paths):  # what is missing is told where it is read
        file = path.stat()
        first = seen.setdefault((file.st_dev, file.st_ino), path)
        if first is not path:
            same = "given twice" if first == path else f"the same file as {first}"
            raise UsageError(f"{path}: {same}; use each recording once, in the fit or for --validation")


def _how(found: Identification) -> list[str]:
    """What was done to the recordings."""
    told = found.provenance
    lines = [
        f"positions: {told['position_filter'][0]}",
        f"torques: {told['torque_filter']}, {told['rows']:,} rows at {told['rate']:.4g} Hz",
    ]
    if found.gains is not None and found.gains_sigma is not None:
        pairs = zip(found.residual.joint_names, found.gains, found.gains_sigma, strict=True)
        lines.append("drive gains [N·m/A]: " + ", ".join(f"{name} {gain:.4g} ± {sigma:.2g}" for name, gain, sigma in pairs))
    if found.payload is not None:
        com = ", ".join(f"{x:.3g}" for x in found.payload.com)
        lines.append(f"payload: {found.payload.mass:.4g} kg, centre of mass [{com}] m in the tool frame")
    return [*lines, ""]


def _parameters(found: Identification) -> list[str]:
    """A line per base parameter."""
    base = found.base
    lines = [f"{'parameter':{_WIDEST}}{'file':>12}{'identified':>12}{'σ':>10}"]
    for name, value, sigma, prior in zip(base.names, base.values, base.sigma, base.prior, strict=True):
        short = name if len(name) < _WIDEST else f"{name[: _WIDEST - 3]}…"
        told = f"{value:12.5g}{sigma:10.2g}" if np.isfinite(sigma) else f"{'not identifiable':>22}"
        lines.append(f"{short:{_WIDEST}}{prior:12.5g}{told}")
    return lines


def _residuals(found: Identification) -> list[str]:
    """A line per joint."""
    one = found.residual
    where = "in validation" if np.isfinite(one.validation).any() else "in training"
    lines = [
        f"RMS of torque residuals [N·m]; “file” and “consistent” are {where}",
        f"{'joint':16}{'training':>12}{'validation':>12}{'% of torque':>12}{'file':>12}{'consistent':>12}",
    ]
    columns = (one.training, 4), (one.validation, 4), (one.percent, 3), (one.model, 4), (one.consistent, 4)
    for k, name in enumerate(one.joint_names):
        told = [f"{values[k]:.{digits}g}" if np.isfinite(values[k]) else "–" for values, digits in columns]
        lines.append(f"{name:16}{''.join(f'{text:>12}' for text in told)}")
    return lines
