"""`replay FILE`: a recording played back, in the window or as text."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np

from app.commands.arguments import Parser, UsageError
from app.signals import panes
from engine import load_recording, shipped_robots
from engine.recording.reader import open_recording
from engine.recording.recording import Recording


def parser() -> Parser:
    """Arguments of `replay`."""
    result = Parser(
        prog="main.py replay",
        description="Opens a recording in the window, or prints it at the speed at which it was made.",
        epilog=(
            "examples:\n"
            "  python main.py replay fall.mcap\n"
            "  python main.py replay fall.csv --print --signals q --rate 10 --speed 0.5"
        ),
    )
    result.add_argument("recording", metavar="FILE", type=Path, help="a recording")
    result.add_argument("--print", action="store_true", help="lines of text instead of the window; needs no display")
    result.add_argument("--signals", metavar="LIST", default="q", help="what to print, as in plot (default: q)")
    result.add_argument("--rate", metavar="HZ", type=_above_zero, default=20.0, help="lines per second (default: 20)")
    result.add_argument("--speed", metavar="X", type=_above_zero, default=1.0, help="seconds of it per second (default: 1)")
    return result


def run(args) -> int:
    """Plays the recording."""
    return _print(load_recording(args.recording), args) if args.print else _show(args.recording)


def _show(path: Path) -> int:
    from app.screenshot import has_display

    with open_recording(path) as file:  # only its head: the window reads it beside itself
        name, source = str(file.metadata.get("robot") or ""), str(file.metadata.get("source") or "")
    if not os.environ.get("QT_QPA_PLATFORM") and not has_display():
        raise UsageError("there is no display to open a window on (DISPLAY); --print needs none")
    from app import application

    robot = name if name in shipped_robots() else source if Path(source).is_file() else "puma560"
    return application.run(robot, str(path))


def _print(recording: Recording, args) -> int:
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
        time.sleep(max(0.0, begin + t[k] / args.speed - time.monotonic()))
        print("  ".join([f"{recording.t[k]:10.4f}", *(f"{x:{width}.6f}" for x, width in zip(values[k], widths))]), flush=True)
    return 0


def _above_zero(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value
