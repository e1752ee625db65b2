"""What the README promises, done as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_engine_example_runs(tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip()
    assert (tmp_path / "fall.csv").read_text().startswith(("t,", "#"))


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!http)([^)#]+)\)", README))))
def test_every_linked_file_exists(target):
    assert (ROOT / target).is_file()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake (\w+)", README))))
def test_every_make_target_exists(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_two_commands_come_first():
    assert re.findall(r"^make \w+", README, re.MULTILINE)[:2] == ["make run", "make test"]
