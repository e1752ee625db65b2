"""`plot REC OUT.png`: plot curves of a recording or a table of results, without a window."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, image_size, note_remarks, refuse_existing, require_file
from armature.app.plots.recorded_signals import NAMES, Pane, panes
from armature.app.plots.sweep_panes import is_table, sweep_curves
from armature.engine import load_recording

SUFFIXES = (".png", ".svg", ".pdf")
DEFAULT = "q,qd,tau,energy"


def parser() -> Parser:
    """Return the argument parser of `plot`."""
    result = Parser(
        prog="armature plot",
        description=(
            "Plots a recording over time, or a table of results over a swept parameter, as .png, .svg or .pdf.\n"
            "No display is needed."
        ),
        epilog=(
            "examples:\n"
            "  armature plot fall.csv fall.png\n"
            "  armature plot fall.mcap torque.svg --signals tau,energy --theme dark --size 1000x500\n"
            "  armature plot pick.npz error.svg --signals error\n"
            "  armature plot results.csv torques.svg --signals peak_tau --over friction"
        ),
    )
    result.add_argument("recording", metavar="REC", type=Path, help="recording, or table of results (.csv, .parquet)")
    result.add_argument("out", metavar="OUT", type=Path, help="file to write: .png, .svg or .pdf")
    help_signals = (
        f"{','.join(NAMES)}, or one joint as q.NAME; one plot each (default: {DEFAULT}). For a table: its columns, or q, qd,"
        " peak_tau of all joints (default: tracking_rms and tracking_rms_prismatic, else peak_tau)"
    )
    result.add_argument("--signals", metavar="LIST", help=help_signals)
    result.add_argument(
        "--over", metavar="COLUMN", default="", help="for a table: column on the horizontal axis (default: the first swept)"
    )
    result.add_argument("--size", metavar="WxH", type=image_size, default=(1200, 900), help="size in pixels (default: 1200x900)")
    result.add_argument("--theme", choices=("light", "dark"), default="light", help="colour theme (default: light)")
    result.add_argument("--overwrite", action="store_true", help="replace an existing file")
    return result


def run(args) -> int:
    """Draw the curves and save the plot; return the exit code."""

    if args.out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{args.out}: a plot must be saved as {', '.join(SUFFIXES)}")
    require_file(args.recording)
    refuse_existing(args.out, args.overwrite)
    x, chosen, caption, axis = _table(args) if is_table(args.recording) else _recording(args)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return _draw(args, x, chosen, caption, axis)


def _recording(args) -> tuple[np.ndarray, list[Pane], str, str]:
    """Times, panes, caption and the name of the axis of a recording. Raises UsageError."""
    if args.over:
        raise UsageError("--over needs a table of results; a recording is always plotted over time")
    recording = load_recording(args.recording)
    try:
        chosen = panes(recording, _names(DEFAULT if args.signals is None else args.signals))
    except ValueError as error:
        raise UsageError(f"--signals: {error}") from None
    if not chosen:
        raise UsageError(f"--signals: name at least one of {', '.join(NAMES)}")
    _check_size(args, chosen)
    note_remarks(args.recording.name, recording.remarks)
    return recording.t, chosen, _caption(args.recording, recording), "time [s]"


def _table(args) -> tuple[np.ndarray, list[Pane], str, str]:
    """The same of a table of results. Raises UsageError."""
    try:
        over, x, chosen = sweep_curves(args.recording, _names(args.signals or ""), args.over)
    except ValueError as error:
        raise UsageError(f"{args.recording}: {error}") from None
    _check_size(args, chosen)
    return x, chosen, args.recording.name, over


def _check_size(args, chosen: list[Pane]) -> None:
    if args.size[1] < 60 + 70 * len(chosen) or args.size[0] < 300:
        raise UsageError(f"--size: {len(chosen)} plots need at least 300x{60 + 70 * len(chosen)} pixels")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _caption(path: Path, recording) -> str:
    robot = f"{recording.robot_name}, " if recording.robot_name else ""
    return f"{robot}{path.name}, {len(recording):,} samples"


def _draw(args, t: np.ndarray, chosen, caption: str, axis: str) -> int:
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication.instance() or QGuiApplication(["armature"])
    from armature.app.plots.figure import Figure
    from armature.app.style.colour_tokens import DARK, LIGHT

    tokens = DARK if args.theme == "dark" else LIGHT
    Figure(t, chosen, caption, tokens, axis).save(args.out, *args.size)
    print(f"{args.recording} → {args.out}", flush=True)
    del application
    return 0
