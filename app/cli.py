"""The command line: choose the command, run it, and turn every outcome into an exit code and at most one line."""

from __future__ import annotations

import argparse
import difflib
import errno
import io
import logging
import os
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path

from armature.app.commands.command_arguments import Parser, UsageError, join_lists, note, robot_beside
from armature.engine.control.own_law.call_limit import abandoning_with
from armature.engine.errors import EngineError, one_line
from armature.engine.files import reason
from armature.engine.remote import WINDOW_OPTION
from armature.engine.version import VERSION

COMMANDS = (
    "screenshot",
    "derivation",
    "simulate",
    "scenario",
    "exciting",
    "replay",
    "import",
    "identify",
    "convert",
    "export",
    "plot",
    "info",
    "check",
    "collide",
    "check-trajectory",
    "compare",
    "page",
)
MODULES = {
    "import": "formats.import_log",
    "convert": "formats.convert",
    "export": "formats.export",
    "check-trajectory": "check_trajectory",
}
"""Modules of commands whose file has another name."""
OK, FAILED, BAD_INPUT, INTERRUPTED, NOBODY_READS = 0, 1, 2, 130, 141
DEFAULT_ROBOT = "puma560"
_NOT_OURS = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)
"""Error numbers with which the system refuses to look a file up; the user can correct them."""


def main(argv: list[str] | None = None) -> int:
    """Runs one command and returns its exit code.

    0 done, 1 failed, 2 bad input (one line on stderr says what), 130 interrupted.
    """
    arguments = join_lists(list(sys.argv[1:] if argv is None else argv))
    _print_anything()
    try:
        with abandoning_with(_abandoned):
            code = _dispatch(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SystemExit as end:  # argparse after --help and --version
        return end.code if isinstance(end.code, int) else OK
    except (UsageError, EngineError) as error:
        note(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_the_rest()
        return NOBODY_READS
    except Exception as error:  # the user sees no traceback; it is in the file
        if isinstance(error, OSError) and error.errno == errno.ENOSPC and not error.filename:  # files are told by name
            _drop_the_rest()
            note(f"the output cannot be written: {reason(error)}")
            return BAD_INPUT
        if isinstance(error, OSError) and error.errno in _NOT_OURS and error.filename:
            note(one_line(f"{os.fsdecode(error.filename)}: {reason(error)}"))
            return BAD_INPUT
        note(_unexpected(error))
        return FAILED


def _abandoned(text: str) -> None:
    """End the process: a thread of it runs code that nothing interrupts."""
    note(text)
    os._exit(FAILED)


def _dispatch(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        _print_engine_log()
        command = import_module(f"armature.app.commands.{MODULES.get(arguments[0], arguments[0])}")
        return command.run(command.parser().parse_args(arguments[1:]))
    return _window(_window_parser().parse_args(arguments))


def _window_parser() -> Parser:
    parser = Parser(
        prog="armature",
        usage=f"armature [FILE]\n       armature {{{','.join(COMMANDS)}}} ...",
        description="Armature, a workbench for robot arms. Without a command it opens its window.",
        epilog=(
            "commands:\n"
            "  screenshot ROBOT OUT.png   draw an arm and save the picture\n"
            "  derivation ROBOT OUT.pdf   write all equations of an arm, as .pdf or .html\n"
            "  simulate ROBOT             simulate an arm without a window, and record it\n"
            "  scenario FILE              simulate several runs from one file, in parallel\n"
            "  exciting ROBOT OUT.toml    find an excitation trajectory for identification\n"
            "  replay FILE                play a recording in the window, or print it\n"
            "  import FILE                convert the log of a real robot into a recording\n"
            "  identify REC...            identify masses, inertias and friction from recordings\n"
            "  convert IN OUT             write a recording in another format\n"
            "  export ROBOT OUT.urdf      write an arm as .toml, .urdf or MuJoCo .xml\n"
            "  plot REC OUT.png           draw curves of a recording, as .png, .svg or .pdf\n"
            "  info ROBOT                 print joints, limits, masses and poses of an arm\n"
            "  check ROBOT                check the model, and compare with Pinocchio and MuJoCo\n"
            "  collide ROBOT              report what an arm hits in a pose, or how near it comes\n"
            "  check-trajectory FILE      find the first contact of a trajectory, or prove it free\n"
            "  compare A B                print how two arms differ, also along a trajectory\n"
            "  page FILE OUT.html         write an arm, trajectory or recording as a web page\n"
            "  each command has its own --help\n"
            "\n"
            "examples:\n"
            "  armature\n"
            "  armature scara\n"
            "  armature my_arm.toml\n"
            "  armature my_trajectory.toml\n"
            "  armature info panda"
        ),
    )
    help_robot = f"shipped robot, robot file, session, trajectory, cell, recording or log (default: {DEFAULT_ROBOT})"
    parser.add_argument("robot", metavar="FILE", nargs="?", default=DEFAULT_ROBOT, help=help_robot)
    parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument(WINDOW_OPTION, dest="script", default="", help=argparse.SUPPRESS)  # as armature.show begins it
    parser.add_argument("--version", action="version", version=f"Armature {VERSION}")
    return parser


def _window(args) -> int:
    from armature.app.commands import replay
    from armature.app.commands.virtual_screen import has_display
    from armature.app.state.recognised_file import (
        CELL,
        LOG,
        QUESTION,
        RECORDING,
        SESSION,
        TRAJECTORY,
        kind_of_file,
        robot_named_in,
    )
    from armature.engine import load_cell, load_plan, load_robot, shipped_robots

    if args.rest:
        close = difflib.get_close_matches(args.robot, COMMANDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise UsageError(f"unknown command {args.robot!r}; the commands are {', '.join(COMMANDS)}{hint}")
    robot, file = args.robot, ""
    try:
        kind = kind_of_file(args.robot)
        if kind == RECORDING:
            return replay.show(Path(args.robot))
        if kind == TRAJECTORY:  # a bad file is told here, before there is a window
            robot, file = robot_named_in(args.robot) or DEFAULT_ROBOT, args.robot
            if robot not in shipped_robots():
                robot = robot_beside(Path(file), robot)
            load_plan(file, load_robot(robot))
        if kind == QUESTION:
            from armature.app.questions.question import load_question

            robot, file = str(load_question(args.robot).robot.source), args.robot
        if kind == CELL:
            load_cell(args.robot)
        if kind == SESSION:
            from armature.app.session.session_file import check_session

            check_session(Path(args.robot))
        if kind in (LOG, CELL, SESSION):
            robot, file = DEFAULT_ROBOT, args.robot
        load_robot(robot)
    except EngineError:
        if close := difflib.get_close_matches(args.robot, COMMANDS, n=1, cutoff=0.8):
            raise UsageError(f"{args.robot!r} is neither a robot nor a command; did you mean {close[0]}?") from None
        raise
    if not os.environ.get("QT_QPA_PLATFORM") and not has_display():
        note("no display for the window (DISPLAY is not set); the commands work without one, see --help")
        return FAILED
    from armature.app import application

    return application.run(robot, file, script=args.script) if args.script else application.run(robot, file)


def _print_engine_log() -> None:
    """Print the log of the engine on stderr, one line per record."""
    log, handler = logging.getLogger("armature"), logging.Handler()
    handler.emit = lambda record: note(_log_line(record))  # type: ignore[method-assign]
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


def _log_line(record: logging.LogRecord) -> str:
    """Line on stderr for a log record; kernels that cannot be cached are compiled more than once."""
    kernel = getattr(record, "kernel", None)
    if kernel is None:
        return record.getMessage()
    from armature.engine.kernel_cache import KernelCache, can_keep  # imports numba, which compiling has imported already

    can_keep()
    return f"compiling {kernel.removeprefix('armature.engine.')}{'' if KernelCache.trouble else ', once'}"


def _print_anything() -> None:
    """A terminal that lacks a letter gets a question mark instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_the_rest() -> None:
    """What is left in the buffer of stdout has nowhere to go, and must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception) -> str:
    what = f"unexpected {type(error).__name__}: {' '.join(str(error).split())[:200]}"
    try:
        handle, name = tempfile.mkstemp(prefix="armature-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8") as log:
            log.write(f"Armature {VERSION}, Python {sys.version}\n{' '.join(sys.argv)}\n\n")
            traceback.print_exception(error, file=log)
    except OSError as log_error:
        return f"{what}; the details could not be saved ({log_error.strerror})"
    return f"{what}; details in {Path(name)}"
