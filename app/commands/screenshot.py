"""`screenshot ROBOT OUT.png`: one picture of an arm, no window."""

from __future__ import annotations

from pathlib import Path

from app.commands.arguments import Parser, UsageError, choices_list, image_size, joint_pose, joint_values
from engine import load_robot

SHOW = ("frames", "labels", "grid", "ellipsoid", "workspace")


def parser() -> Parser:
    """Arguments of `screenshot`."""
    result = Parser(
        prog="main.py screenshot",
        description="Draws an arm into a PNG file. Angles in rad, lengths in m.",
        epilog=(
            "examples:\n"
            "  python main.py screenshot puma560 puma.png --pose ready\n"
            '  python main.py screenshot scara scara.png --q "0.5, 1, 0.1" --show frames,workspace --size 1920x1080'
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="name of a shipped robot, or a robot file")
    result.add_argument("out", metavar="OUT.png", type=Path, help="the picture to write")
    pose = result.add_mutually_exclusive_group()
    pose.add_argument("--pose", metavar="NAME", help="a pose of the robot's file (default: home)")
    pose.add_argument("--q", metavar="Q", help='joint values such as "0, 0.5 1"')
    result.add_argument("--size", metavar="WxH", type=image_size, default=(1280, 800), help="pixels (default: 1280x800)")
    result.add_argument(
        "--show",
        metavar="LIST",
        type=choices_list(SHOW),
        default=("frames", "grid"),
        help=f"of {','.join(SHOW)} (default: frames,grid)",
    )
    result.add_argument("--theme", choices=("light", "dark"), default="light", help="default: light")
    return result


def run(args) -> int:
    """Checks what can be checked without Qt, then draws."""
    robot = load_robot(args.robot)
    if args.q is not None:
        joint_values(robot, "--q", args.q)
    elif args.pose is not None and args.pose not in robot.configurations:
        joint_pose(robot, "--pose", args.pose)
    if args.out.suffix.lower() != ".png":
        raise UsageError(f"{args.out}: a picture is written as .png")
    if not args.out.absolute().parent.is_dir():
        raise UsageError(f"{args.out}: there is no folder {args.out.parent}")
    from app import screenshot

    return screenshot.run(args)
