"""`screenshot ROBOT OUT.png`: draw an arm and save the picture, without a window."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from pathlib import Path

from armature.app.commands import picture_drawing as screenshot
from armature.app.commands.command_arguments import (
    Parser,
    UsageError,
    choices_list,
    drag_of_hand,
    image_size,
    look_of_workspace,
    view_angles,
)
from armature.app.commands.picture_drawing import SHOWABLE
from armature.app.scene.camera.camera import STANDARD_VIEWS


def parser() -> Parser:
    """Return the argument parser of `screenshot`."""
    result = Parser(
        prog="armature screenshot",
        description="Draws an arm and saves the picture as PNG. Angles in rad, lengths in m.",
        epilog=(
            "examples:\n"
            "  armature screenshot puma560 puma.png --pose ready\n"
            '  armature screenshot scara scara.png --q "0.5, 1, 0.1" --show frames,workspace --size 1920x1080\n'
            "  armature screenshot panda slide.png --transparent --no-caption --view 30,20 --projection orthographic\n"
            "  armature screenshot panda cell.png --cell table\n"
            "  armature screenshot desk.armature desk.png\n"
            "  armature screenshot stanford step.png --dh-step 9.6 --show grid\n"
            "  armature screenshot puma560 load.png --rnea-step 17 --qd 0,0.5,0.5,0,0,0 --show grid"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="shipped robot, robot file or session (.armature)")
    result.add_argument("out", metavar="OUT.png", type=Path, help="picture to write, .png")
    pose = result.add_mutually_exclusive_group()
    pose.add_argument("--pose", metavar="NAME", help="named pose of the robot (default: home)")
    pose.add_argument("--q", metavar="Q", help='joint values such as "0, 0.5 1"')
    result.add_argument("--size", metavar="WxH", type=image_size, default=(1280, 800), help="size in pixels (default: 1280x800)")
    result.add_argument(
        "--show",
        metavar="LIST",
        type=choices_list(SHOWABLE),
        help=f"overlays: {','.join(SHOWABLE)} (default: frames,grid)",
    )
    result.add_argument(
        "--dh-step",
        metavar="N",
        type=float,
        help="show the construction of the DH frames after N steps; 7.5 is halfway through the eighth step",
    )
    result.add_argument(
        "--rnea-step",
        metavar="K",
        type=float,
        help="show the Newton–Euler recursion after K steps; 7.5 is halfway through the eighth step",
    )
    result.add_argument("--qd", metavar="QD", help="joint velocities for --rnea-step, in the form of --q (default: zeros)")
    result.add_argument("--qdd", metavar="QDD", help="joint accelerations for --rnea-step (default: zeros)")
    result.add_argument(
        "--drag",
        metavar="AXIS=AMOUNT",
        type=drag_of_hand,
        help="show the handle and move the tool first: x, y, z in m or rx, ry, rz in degrees, such as z=0.1 or ry=30",
    )
    result.add_argument(
        "--workspace",
        metavar="STYLE",
        type=look_of_workspace,
        help="draw the workspace as points, voxels or boundary; to cut it, add axis and fraction of its extent: voxels,y,0.5",
    )
    result.add_argument("--cell", metavar="FILE", help="draw the objects of a cell file, and colour and explain contacts")
    result.add_argument(
        "--without-contacts",
        action="store_true",
        help="draw the workspace without poses in which the arm touches itself or the cell",
    )
    result.add_argument("--theme", choices=("light", "dark"), default="light", help="colours (default: light)")
    result.add_argument(
        "--view",
        metavar="VIEW",
        type=view_angles(STANDARD_VIEWS),
        help=f"camera: {', '.join(STANDARD_VIEWS)}, or azimuth,elevation[,distance] in degrees and m (default: iso)",
    )
    result.add_argument(
        "--projection",
        choices=("perspective", "orthographic"),
        help="camera projection (default: perspective)",
    )
    result.add_argument("--transparent", action="store_true", help="transparent background")
    result.add_argument(
        "--caption",
        action=BooleanOptionalAction,
        default=True,
        help="write the robot's name and its pose into the picture (default: yes)",
    )
    result.add_argument(
        "--corner", action=BooleanOptionalAction, default=True, help="draw small world axes in the corner (default: yes)"
    )
    return result


def run(args) -> int:
    """Draw and save the picture; return the exit code."""
    if args.out.suffix.lower() != ".png":
        raise UsageError(f"{args.out}: a picture must be saved as .png")
    return screenshot.run(args)
