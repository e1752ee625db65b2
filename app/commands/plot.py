"""`plot REC OUT.png`: curves of a recording as a picture or a vector file, no window."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, check_writable, image_size, note_remarks
from armature.app.plots.recorded_signals import NAMES, panes
from armature.engine import load_recording

SUFFIXES = (".png", ".svg", ".pdf")


def parser() -> Parser:
    """Arguments of `plot`."""
    result = Parser(
        prog="armature plot",
        description="Draws curves of a recording over time into a .png, .svg or .pdf. It needs no display.",
        epilog=(
            "examples:\n"
            "  armature plot fall.csv fall.png\n"
            "  armature plot fall.mcap torque.svg --signals tau,energy --theme dark --size 1000x500"
        ),
    )
    result.add_argument("recording", metavar="REC", type=Path, help="a recording")
    result.add_argument("out", metavar="OUT", type=Path, help="the file to write: .png, .svg or .pdf")
    help_signals = f"of {','.join(NAMES)}, or of one joint as q.NAME; one pane each (default: q,qd,tau,energy)"
    result.add_argument("--signals", metavar="LIST", default="q,qd,tau,energy", help=help_signals)
    result.add_argument("--size", metavar="WxH", type=image_size, default=(1200, 900), help="pixels (default: 1200x900)")
    result.add_argument("--theme", choices=("light", "dark"), default="light", help="default: light")
    return result


def run(args) -> int:
    """Draws the curves."""

    if args.out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{args.out}: curves are written as {', '.join(SUFFIXES)}")
    check_writable(args.out)
    recording = load_recording(args.recording)
    note_remarks(args.recording.name, recording.remarks)
    try:
        chosen = panes(recording, tuple(name.strip() for name in args.signals.split(",") if name.strip()))
    except ValueError as error:
        raise UsageError(f"--signals: {error}") from None
    if not chosen:
        raise UsageError(f"--signals: name at least one of {', '.join(NAMES)}")
    if args.size[1] < 60 + 70 * len(chosen) or args.size[0] < 300:
        raise UsageError(f"--size: {len(chosen)} panes need at least 300x{60 + 70 * len(chosen)} pixels")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return _draw(args, recording.t, chosen, _caption(args.recording, recording))


def _caption(path: Path, recording) -> str:
    robot = f"{recording.robot_name}, " if recording.robot_name else ""
    return f"{robot}{path.name}, {len(recording):,} samples"


def _draw(args, t: np.ndarray, chosen, caption: str) -> int:
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication(["armature"])
    from armature.app.plots.figure import Figure
    from armature.app.style.colour_tokens import DARK, LIGHT

    tokens = DARK if args.theme == "dark" else LIGHT
    Figure(t, chosen, caption, tokens).save(args.out, *args.size)
    print(f"{args.recording} → {args.out}", flush=True)
    del application
    return 0
