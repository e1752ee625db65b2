"""`derivation ROBOT OUT.pdf`: write all equations of an arm at a pose, as PDF or HTML."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from armature.app.commands.command_arguments import Parser, UsageError, check_writable, joint_values, robot_of
from armature.app.commands.picture_drawing import arm_picture, note_outside, posed
from armature.app.commands.virtual_screen import has_display, run_under_xvfb
from armature.engine import Robot

SIZE = (960, 800)  # pixels of the picture
VIEW = (-50.0, 20.0)  # degrees
SUFFIXES = (".pdf", ".html")


def parser() -> Parser:
    """Return the argument parser of `derivation`."""
    result = Parser(
        prog="armature derivation",
        description=(
            "Writes the equations of an arm: DH table, transformation matrices, Jacobian, det J, M, C and g in symbols and\n"
            "numbers, Lagrange's method, and the Newton-Euler recursion step by step. Angles in rad, lengths in m."
        ),
        epilog=(
            "examples:\n"
            "  armature derivation rp_offset rp.pdf\n"
            '  armature derivation puma560 puma.html --pose ready --qd "0 0.5 0.5 0 0 0"'
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="shipped robot or robot file")
    result.add_argument("out", metavar="OUT.pdf", type=Path, help="output file, .pdf (A4) or .html")
    pose = result.add_mutually_exclusive_group()
    pose.add_argument("--pose", metavar="NAME", help="named pose of the robot (default: home)")
    pose.add_argument("--q", metavar="Q", help='joint values such as "0, 0.5 1"')
    result.add_argument("--qd", metavar="QD", help="joint velocities, in the form of --q (default: zeros)")
    result.add_argument("--qdd", metavar="QDD", help="joint accelerations (default: zeros)")
    result.add_argument(
        "--significance",
        metavar="PERCENT",
        type=float,
        default=1.0,
        help="for more than three joints: omit terms below this percentage of the largest value of their matrix (default: 1)",
    )
    return result


def run(args) -> int:
    """Write the derivation to `args.out`; return the exit code."""
    if args.out.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{args.out}: a derivation must be saved as {' or '.join(SUFFIXES)}")
    if not 0 <= args.significance < 100:
        raise UsageError(f"--significance: {args.significance:g} is not a percentage from 0 up to 100")
    robot = robot_of(args.robot)
    q, _ = posed(robot, args)
    motion = np.asarray(q, float), _rate(robot, "--qd", args.qd), _rate(robot, "--qdd", args.qdd)
    check_writable(args.out)
    if not has_display():
        return run_under_xvfb(_same_arguments(args))
    note_outside(robot, motion[0], args)
    return _write(args, robot, motion)


def _rate(robot: Robot, name: str, text: str | None) -> np.ndarray:
    return np.zeros(robot.n) if text is None else joint_values(robot, name, text)


def _same_arguments(args) -> list[str]:
    given = {"pose": args.pose, "q": args.q, "qd": args.qd, "qdd": args.qdd, "significance": args.significance}
    options = [f"--{name}={value}" for name, value in given.items() if value is not None]
    return ["derivation", str(args.robot), str(args.out), *options]


def _write(args, robot: Robot, motion: tuple[np.ndarray, np.ndarray, np.ndarray]) -> int:
    picture = arm_picture(robot, motion[0], dark=False)
    from armature.app.equations.sheet.sheet_file import save_derivation
    from armature.app.scene.gl.offscreen_picture import RenderError
    from armature.app.scene.picture_file import png_of
    from armature.app.style.theme import POINTS, text_font

    try:
        picture.show(("frames", "grid"))
        picture.look(*VIEW, None, orthographic=False)
        image = picture.image(*SIZE, "")
    except RenderError as error:
        raise UsageError(f"derivation: {error}") from None
    finally:
        picture.close()
    save_derivation(robot, motion, png_of(image), args.out, text_font(POINTS), args.significance / 100)
    return 0
