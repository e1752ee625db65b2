"""Atomic writes, locks and the search path of child processes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from armature.engine import EngineError
from armature.engine.files import atomic_file, atomic_write, child_environment, is_locked, lock
from tests.time_limits import PROCESS


def test_an_atomic_write_replaces_the_file_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    atomic_write(path, "first")
    with path.open() as before:
        atomic_write(path, b"second")
        assert before.read() == "first"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"] and path.read_text() == "second"


def test_a_failed_block_keeps_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_file(path) as part:
        part.write_text("half")
        1 / 0  # noqa: B018
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"] and path.read_text() == "old"


def test_a_refused_file_is_an_error_of_the_given_class(tmp_path):
    path = tmp_path / "none" / "a.txt"
    with pytest.raises(EngineError, match=f"^{path}: the folder does not exist: {path.parent}$"):  # noqa: SIM117
        with atomic_file(path, EngineError) as part:
            part.write_text("text")


def test_a_lock_ends_with_its_file(tmp_path):
    path = tmp_path / "a.lock"
    with path.open("w") as file:
        assert not is_locked(path)
        lock(file.fileno())
        assert is_locked(path)
    assert not is_locked(path)


def test_a_child_process_imports_this_package(tmp_path):
    command = [sys.executable, "-S", "-c", "import armature; print(armature.__file__)"]  # -S: not by an installation
    done = subprocess.run(command, cwd=tmp_path, env=child_environment(), capture_output=True, text=True, timeout=PROCESS)
    import armature

    assert (done.stdout.strip(), done.stderr) == (armature.__file__, "")
