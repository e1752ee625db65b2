"""quick.txt names tests that exist, some for every command and every format of recordings."""

from __future__ import annotations

import ast

import pytest

from armature.app.cli import COMMANDS
from armature.engine.recording.recording_formats import SUFFIXES
from tests.selection import ROOT, listed


def written(file: str) -> dict[str, str]:
    """The tests of a file by name, as text with their cases."""
    functions = [node for node in ast.parse((ROOT / file).read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.unparse(node) for node in functions}


@pytest.fixture(scope="module")
def quick():
    """The text of every quick test, by its line; None where there is no such test."""
    pairs = [(line, *line.split("::")) for line in listed()[0]]
    tests = {file: written(file) for _, file, _ in pairs}
    return {line: tests[file].get(name) for line, file, name in pairs}


def test_every_line_names_a_test(quick):
    assert [line for line, text in quick.items() if text is None] == []


@pytest.mark.parametrize("word", [*COMMANDS, *SUFFIXES])
def test_every_command_and_format_of_recordings_is_touched(quick, word):
    assert any(f"'{word}'" in text or f"{word}'" in text for text in quick.values() if text)
