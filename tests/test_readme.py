"""Examples of README and of the pages that it links to, run as written."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from armature import engine
from armature.app.cli import main
from armature.engine.control.own_law.arm_functions import ArmFunctions

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def page(name: str) -> str:
    """Text of a page of docs/."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


PYTHON, CONTROLLERS = page("python"), page("controllers")


def code_below(heading: str, text: str = PYTHON) -> str:
    """The Python of a section."""
    (code,) = re.findall(r"```python\n(.*?)```", text.split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0], re.DOTALL)
    return code


def test_the_example_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    code = code_below("In Python", README)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert len(code.splitlines()) <= 10 and "axes 4 and 6" in capsys.readouterr().out
    assert (tmp_path / "fall.csv").is_file()


def test_the_engine_example_runs(tmp_path, monkeypatch, capsys):
    code = code_below("The engine")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "python.md", "exec"), {})
    assert capsys.readouterr().out.strip()
    assert (tmp_path / "swing.csv").read_text().startswith(("t,", "#"))


def test_the_plan_runs_within_all_limits(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(code_below("A plan"), "python.md", "exec"), names)
    seconds, _, violation = capsys.readouterr().out.split()
    assert 1 < float(seconds) < 10 and violation == "None"
    arm, run, path = names["arm"], names["run"], names["path"]
    assert abs(run.q[-1] - arm.configurations["home"]).max() < 1e-2 and len(path.payloads) == 2
    again = engine.load_plan(tmp_path / "pick.toml", arm).trajectory(arm)
    assert again.duration == pytest.approx(path.duration, rel=1e-12)


def test_the_example_of_an_own_arm_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(compile(code_below("A robot of your own"), "python.md", "exec"), names)
    assert capsys.readouterr().out.startswith("6 3.1")
    assert engine.load_robot(tmp_path / "my_arm.toml").has_dynamics
    assert names["mine"].robot.n == 6 and names["craig"].table["convention"] == "modified"


def test_the_own_law_runs_by_every_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (law,) = re.findall(r"```python\n(.*?)```", CONTROLLERS, re.DOTALL)
    (tmp_path / "my_law.py").write_text(law)
    (commands,) = re.findall(r"```bash\n(.*?)```", CONTROLLERS, re.DOTALL)
    lines = [shlex.split(line, comments=True) for line in commands.splitlines()]
    assert len(lines) == 4
    for words in lines:
        assert main(words[1:]) == 0
    told = capsys.readouterr().out
    assert "learned_feedforward" in told and "rounds" in told
    assert "my_law, as Python" in told and "sliding_mode" in told and "none, bit-identical" in told
    for file in re.findall(r"`(\w+)`", CONTROLLERS.split("- `arm` is")[1].split("- `p` contains")[0]):
        assert hasattr(ArmFunctions(engine.load_robot("panda")), file)


def test_the_example_of_measured_data_runs(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    exec(compile(code_below("In Python", page("formats/logs")), "logs.md", "exec"), {})
    *notes, before, after = capsys.readouterr().out.strip().splitlines()
    assert any("gaps" in line for line in notes)
    before, after = ([float(word) for word in re.findall(r"[\d.]+", line)] for line in (before, after))
    assert after[1] < 0.5 * before[1]  # the shoulder tells what was in the hand


@pytest.mark.parametrize("package", ["engine", "armature"])
def test_type_checkers_and_editors_find_every_name(package):
    stub = ast.parse((ROOT / package / "__init__.pyi").read_text(encoding="utf-8"))
    listed = {alias.asname: part.module for part in stub.body if isinstance(part, ast.ImportFrom) for alias in part.names}
    assert listed == {name: vars(engine)["_HOME"][name] for name in engine.__all__}


def test_every_function_of_the_engine_it_names_exists():
    table = PYTHON.split("| subject | functions |")[1].split("\n\n")[0]
    names = re.findall(r"`(\w+)`", table)
    assert len(names) > 40
    assert not [name for name in names if not (hasattr(engine, name) or hasattr(engine.Robot, name))]
    unnamed = {name for name in engine.__all__ if name[0].islower()} - set(names)
    assert unnamed == {"warm_up"}


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!http)([^)#]+)\)", README))))
def test_every_linked_file_exists(target):
    assert (ROOT / target).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake (\w+)", README + page("development") + page("building")))))
def test_every_make_target_exists(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_it_is_short():
    assert len(README.encode()) <= 8000 and README.count("![") == 1


def test_the_two_commands_come_first():
    assert re.findall(r"^make \w+", README, re.MULTILINE)[:2] == ["make run", "make test"]
