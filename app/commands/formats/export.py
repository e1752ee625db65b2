"""`export ROBOT FILE`: an arm in another format."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import Parser, refuse_existing, robot_of
from armature.engine import save_robot
from armature.engine.model.toml.companion_name import companion_of


def parser() -> Parser:
    """Arguments of `export`."""
    result = Parser(
        prog="armature export",
        description=(
            "Writes an arm as a robot file (.toml), a URDF (.urdf) or a MuJoCo model (.xml, .mjcf); says what that cannot hold.\n"
            "Meshes stay where they are; what URDF has no words for goes into NAME.armature.toml beside it."
        ),
        epilog=(
            "examples:\n"
            "  armature export puma560 puma560.urdf\n"
            '  armature export "ur.urdf.xacro?ur_type=ur5e&name=ur" ur5e.toml\n'
            "  armature export panda panda.xml"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="name of a shipped robot, or a robot file")
    result.add_argument("target", metavar="FILE", type=Path, help="the file to write; its suffix is the format")
    result.add_argument("--overwrite", action="store_true", help="replace a file that exists, and the companion beside it")
    return result


def run(args) -> int:
    """Writes the file; prints what it cannot hold, a line each."""
    robot = robot_of(args.robot)
    for file in (args.target, *companions(args.target)):
        refuse_existing(file, args.overwrite)
    losses = save_robot(robot, args.target)
    print(f"{robot.name} → {args.target}, {args.target.stat().st_size:,} bytes")
    for sentence in losses:
        print(f"  {sentence}")
    return 0


def companions(target: Path) -> tuple[Path, ...]:
    """What is written beside a file of that name."""
    return (companion_of(target),) if target.suffix.lower() == ".urdf" else ()
