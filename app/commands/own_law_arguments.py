"""Options for the controller: a built-in one by name, or a Python file with parameters."""

from __future__ import annotations

import argparse
from pathlib import Path

from armature.app.commands.command_arguments import Parser, UsageError
from armature.engine import OwnLaw, load_law
from armature.engine.control.control_laws import NAMES
from armature.engine.control.own_law.shipped_laws import example_laws

LAWS = ("none", *(name for name in NAMES.values() if name != "torque"))


def law_name(text: str) -> str:
    """An argparse type: the name of a law, or a file, that of an example by its name."""
    if text in LAWS or is_file(text):
        return text
    examples = example_laws()
    if text in examples:
        return str(examples[text])
    known = f"{', '.join(LAWS)}, the examples {', '.join(examples)}, or a Python file, .py"
    raise argparse.ArgumentTypeError(f"unknown controller {text!r}; valid: {known}")


def is_file(law: str) -> bool:
    """Whether a law is the user's own file."""
    return Path(law).suffix == ".py"


def add_own_law(parser: Parser) -> None:
    """The options that go with such a file."""
    parser.add_argument(
        "--parameter",
        metavar="NAME=VALUE",
        type=_setting,
        action="append",
        default=[],
        help="set a parameter of a user-defined controller; may be repeated (default: its start value)",
    )
    parser.add_argument(
        "--compiled",
        choices=("yes", "no"),
        help="compile a user-defined controller with numba, which needs some seconds (default: from 100,000 calls on)",
    )
    parser.add_argument(
        "--disturbance", metavar="FILE", type=Path, help="Python file with disturbance(t, q, qd, p), a wrench on a link"
    )
    parser.add_argument("--allow-code", action="store_true", help="with --from: run the Python code stored in the recording")


def refuse_own_law_options(args) -> None:
    """Raises UsageError for an option that does not go with the law."""
    own = args.controller is not None and is_file(args.controller)
    if (args.parameter or args.compiled) and not own:
        raise UsageError("--parameter and --compiled need a user-defined controller, such as --controller my_law.py")
    if own and args.frequency:
        raise UsageError("--frequency tunes built-in controllers only; use --parameter for a user-defined controller")


def own_law(args) -> OwnLaw:
    """The law of the file, with its parameters. Raises LawError, EngineError."""
    return load_law(args.controller, dict(args.parameter), None if args.compiled is None else args.compiled == "yes")


def _setting(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE with a number") from None
