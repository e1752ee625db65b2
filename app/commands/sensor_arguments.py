"""Options of `simulate` for the sensors of the controller."""

from __future__ import annotations

import argparse
import math
import re

from armature.app.commands.command_arguments import Parser, UsageError
from armature.engine import Sensors

OPTIONS = ("encoder", "noise", "torque_noise", "delay", "speed_cutoff", "seed")
LISTS = ("--encoder", "--noise", "--torque-noise")


def add_sensors(parser: Parser) -> None:
    """The options."""
    group = parser.add_argument_group(
        "sensors", "Sensors of the controller (default: exact). The recording holds the measured and the true values."
    )
    each = 'one number, or one per joint, "4096 0 1000"'
    group.add_argument("--encoder", metavar="N", type=figures, help=f"counts per turn (prismatic: per m): {each}; 0: no rounding")
    group.add_argument("--noise", metavar="SIGMA", type=figures, help="standard deviation of position noise, rad (m)")
    group.add_argument("--torque-noise", metavar="SIGMA", type=figures, help="standard deviation of torque noise, N·m (N)")
    group.add_argument("--delay", metavar="S", type=float, help="delay of the measurements in s, rounded to whole steps")
    group.add_argument(
        "--speed-cutoff",
        metavar="HZ",
        type=float,
        help="low-pass cut-off of speeds differentiated from positions; inf: no filter (default: 100)",
    )
    group.add_argument("--seed", metavar="K", type=int, help="seed of the noise; the same seed repeats the run (default: 0)")


def figures(text: str) -> float | tuple[float, ...]:
    """An argparse type: one number, or several."""
    try:
        numbers = tuple(float(word) for word in re.split(r"[\s,;]+", text.strip()) if word)
    except ValueError:
        numbers = ()
    if not numbers or not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"{text!r} is not one number, or one per joint")
    return numbers[0] if len(numbers) == 1 else numbers


def sensors_of(args: argparse.Namespace) -> Sensors | None:
    """What the command line says, None where it says nothing; raises UsageError, EngineError."""
    given = {name: value for name, value in vars(args).items() if name in OPTIONS and value is not None}
    if set(given) == {"seed"}:
        raise UsageError("--seed needs --noise or --torque-noise")
    if set(given) == {"speed_cutoff"}:
        raise UsageError("--speed-cutoff needs --encoder or --noise")
    names = {"encoder": "counts", "noise": "position_noise"}
    return Sensors(**{names.get(name, name): value for name, value in given.items()}) if given else None
