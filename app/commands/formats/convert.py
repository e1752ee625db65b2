"""`convert IN OUT`: write a recording, or a part of it, in another format."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import Parser, UsageError, finite, refuse_existing, require_file, whole_number
from armature.app.commands.progress_line import Progress
from armature.app.commands.stop_signals import stopped_by_signals
from armature.engine.recording.convert_recording import convert_recording
from armature.engine.recording.recording_formats import NAMES


def parser() -> Parser:
    """Return the argument parser of `convert`."""
    result = Parser(
        prog="armature convert",
        description=(
            f"Writes a recording in another format: {NAMES}.\n"
            "Reads recordings of any length, also unfinished ones (.part). Numbers are copied without rounding."
        ),
        epilog=(
            "examples:\n  armature convert fall.csv fall.mat\n  armature convert long.npz part.mcap --from 60 --to 90 --every 10"
        ),
    )
    result.add_argument("source", metavar="IN", type=Path, help="recording to read")
    result.add_argument("target", metavar="OUT", type=Path, help="file to write; its suffix sets the format")
    result.add_argument(
        "--every",
        metavar="K",
        type=whole_number("a whole number", 1, 1_000_000_000),
        default=1,
        help="keep every K-th sample (default: 1)",
    )
    result.add_argument("--from", dest="start", metavar="S", type=finite("a number of seconds"), help="first time to keep, s")
    result.add_argument("--to", dest="end", metavar="S", type=finite("a number of seconds"), help="last time to keep, s")
    result.add_argument("--overwrite", action="store_true", help="replace an existing file")
    return result


def run(args) -> int:
    """Convert the recording and print the path written; return the exit code."""
    if args.start is not None and args.end is not None and args.end < args.start:
        raise UsageError(f"--to: {args.end:g} s is before --from {args.start:g} s")
    require_file(args.source)
    refuse_existing(args.target, args.overwrite)
    progress = Progress(100, "%")
    with stopped_by_signals():
        try:
            written = convert_recording(
                args.source,
                args.target,
                args.overwrite,
                args.every,
                args.start,
                args.end,
                progress=lambda done, total: progress.show(100 * done / max(total, 1)),
            )
        finally:
            progress.clear()
    print(f"{args.source} → {written}, {written.stat().st_size:,} bytes", flush=True)
    return 0
