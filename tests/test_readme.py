"""What the README promises, done as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_engine_example_runs(tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip()
    assert (tmp_path / "swing.csv").read_text().startswith(("t,", "#"))


def test_the_example_of_the_whole_loop_runs(tmp_path):
    command = [sys.executable, "assets/examples/pick_and_place.py", str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    off = {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines() if line.endswith(" rad off")}
    assert off["computed-torque.mcap"] < 1e-4 < off["computed-torque-unaware.mcap"] < off["pd-gravity-unaware.mcap"]
    assert done.stdout.startswith("within all limits") and "the same to the last bit: True" in done.stdout
    before, after = (engine.load_recording(tmp_path / f"computed-torque.{suffix}") for suffix in ("mcap", "mat"))
    assert (before.table() == after.table()).all()


def test_every_function_of_the_engine_it_names_exists():
    table = README.split("| block | functions |")[1].split("\n\n")[0]
    names = re.findall(r"`(\w+)`", table)
    assert len(names) > 40
    assert not [name for name in names if not (hasattr(engine, name) or hasattr(engine.Robot, name))]
    unnamed = {name for name in engine.__all__ if name[0].islower()} - set(names)
    assert unnamed == {"warm_up"}


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!http)([^)#]+)\)", README))))
def test_every_linked_file_exists(target):
    assert (ROOT / target).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake (\w+)", README))))
def test_every_make_target_exists(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_two_commands_come_first():
    assert re.findall(r"^make \w+", README, re.MULTILINE)[:2] == ["make run", "make test"]
