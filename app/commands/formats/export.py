"""`export ROBOT FILE`: write an arm in another format."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import Parser, refuse_existing, robot_of
from armature.engine import save_robot
from armature.engine.model.toml.toml_kind import companion_of


def parser() -> Parser:
    """Return the argument parser of `export`."""
    result = Parser(
        prog="armature export",
        description=(
            "Writes an arm as a robot file (.toml), a URDF (.urdf) or a MuJoCo model (.xml, .mjcf), and lists the data that the\n"
            "format cannot hold. Meshes are not copied. Data that URDF cannot hold are written to NAME.armature.toml."
        ),
        epilog=(
            "examples:\n"
            "  armature export puma560 puma560.urdf\n"
            '  armature export "ur.urdf.xacro?ur_type=ur5e&name=ur" ur5e.toml\n'
            "  armature export panda panda.xml"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="shipped robot or robot file")
    result.add_argument("target", metavar="FILE", type=Path, help="file to write; its suffix sets the format")
    result.add_argument("--overwrite", action="store_true", help="replace an existing file and its .armature.toml")
    return result


def run(args) -> int:
    """Write the robot file and print the data that it cannot hold, one line each; return the exit code."""
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
