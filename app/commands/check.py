"""`check ROBOT`: check the parameters of an arm and its computed dynamics; for a question file, its answers."""

from __future__ import annotations

from pathlib import Path

from armature.app.commands.command_arguments import Parser, robot_of, seed, whole_number
from armature.app.commands.robot_text.finding_lines import found_lines
from armature.app.questions.examination import faults_of
from armature.app.questions.question import load_question
from armature.app.robots.meshes.arm_meshes import mesh_points
from armature.app.robots.meshes.mesh_cache import MeshCache
from armature.app.state.recognised_file import QUESTION, kind_of_file
from armature.engine import check, examine
from armature.engine.checks.check import FAILED, OK, SKIPPED, CheckResult
from armature.engine.examination.finding import ERROR


def parser() -> Parser:
    """Return the argument parser of `check`."""
    result = Parser(
        prog="armature check",
        description=(
            "Checks a robot in two parts. First its parameters: each implausible one is printed with file, line,\n"
            "likely cause and fix, as an error, a warning or a note. Then the computation: identities that hold for every\n"
            "arm, and a comparison with Pinocchio and MuJoCo where they are installed. Prints one line per check, with the\n"
            "largest relative error and its tolerance.\n"
            "For a question file, compares the answers in the file with the computed values."
        ),
        epilog=(
            "exit code: 0 all checks passed, 1 a check failed or a parameter is wrong, 2 bad input\n\n"
            "examples:\n  armature check puma560\n  armature check my_question.toml"
        ),
    )
    result.add_argument("robot", metavar="ROBOT", help="shipped robot, robot file or question file")
    result.add_argument(
        "--states",
        type=whole_number("a number of states", 1, 10_000),
        default=20,
        metavar="N",
        help="number of random states (default: 20)",
    )
    result.add_argument("--seed", type=seed, default=0, metavar="SEED", help="seed of the random states (default: 0)")
    return result


def run(args) -> int:
    """Print the findings on the parameters, then each check as it is done; return 1 if one failed or is an error, else 0."""
    if Path(args.robot).is_file() and kind_of_file(args.robot) == QUESTION:
        return _examine(Path(args.robot))
    robot = robot_of(args.robot)
    findings = examine(robot, mesh_points(robot, None, MeshCache()))
    print("\n".join(found_lines(robot.name, findings)), flush=True)
    print(f"{robot.name}, {args.states} random states within its limits, seed {args.seed}", flush=True)
    counts = {OK: 0, FAILED: 0, SKIPPED: 0}
    for result in check(robot, args.states, args.seed):
        counts[result.status] += 1
        print(line(result), flush=True)
    print(", ".join(f"{count} {name.lower()}" for name, count in counts.items() if count))
    return int(counts[FAILED] > 0 or any(finding.grade == ERROR for finding in findings))


def _examine(path: Path) -> int:
    question = load_question(path)
    faults = faults_of(question)
    for fault in faults:
        print(f"{path.name}: {fault}")
    if not faults:
        count = len(question.file.answers)
        print(f"{path.name}: “{question.file.title}”, {count} answer{'s' if count > 1 else ''}: correct")
    return int(bool(faults))


def line(result: CheckResult) -> str:
    """Status, worst error beside its bar, name, and a note where there is one."""
    numbers = "" if result.error is None else f"{result.error:.1e} of {result.bar:.0e}"
    return f"  {result.status:<8}{numbers:<18}{result.name}{f': {result.note}' if result.note else ''}"
