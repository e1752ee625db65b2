"""Compiled code on disk: found again, whole, compiled again after an edit, and no condition for anything."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from armature import engine
from armature.engine import files, kernel_cache, kernel_workers, kernels
from armature.engine.jit import REAL, Kernel, kernel, routine
from armature.engine.kernel_cache import KernelCache, fingerprint
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]
HOME, SMALL = "armature.engine.kinematics.targets", "armature.engine.kinematics.targets._defects"
COMPILE = f"import {HOME} as home; home._defects.compile(); print(home._defects.is_cached())"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and nothing known of any trouble with it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(KernelCache, "trouble", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # so that what is set here is taken back
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    return tmp_path / "armature"


def start(code: str, cache_home: Path, seed: int = 0) -> subprocess.Popen:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache_home), "PYTHONHASHSEED": str(seed)}
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def doubled(x):
    return 2.0 * x


def times(factor: float):
    return lambda x: factor * x


def kept(cache: Path) -> list[Path]:
    return sorted(cache.glob("kernels/*"))


def compiled(function) -> tuple[Kernel, int]:
    """A kernel of one number, and how often its code came from the cache."""
    made = kernel(REAL)(function)
    Kernel.registry.remove(made)
    made.compile()
    return made, sum(made.dispatcher.stats.cache_hits.values())


def test_code_is_kept_and_found_again_and_a_damaged_file_is_as_good_as_none(cache):
    compiled(doubled)
    (file,) = kept(cache)
    again, hits = compiled(doubled)
    assert again.call(2.5) == 5.0 and hits == 1
    file.write_bytes(file.read_bytes()[:-100])
    third, hits = compiled(doubled)
    assert third.call(2.5) == 5.0 and hits == 0
    assert kept(cache) == [file]


def test_a_kernel_is_one_file_with_the_code_of_its_routines(cache):
    part = routine(doubled)
    whole, _ = compiled(lambda x: part(x) + 1.0)
    assert whole.call(2.0) == 5.0 and len(kept(cache)) == 1
    with pytest.raises(TypeError):
        part(2.0)


SOURCES = {
    "edited_constants": "FACTOR, MOST = 2.0, 10.0\n",
    "edited_routine": """
from armature.engine.jit import routine
from edited_constants import FACTOR
@routine
def part(x):
    '''Twice.'''
    return FACTOR * x
""",
    "edited_kernel": """
from typing import NamedTuple
from armature.engine.jit import REAL, Kernel, kernel
from edited_constants import MOST
from edited_routine import part
class Range(NamedTuple):
    low: float
    high: float
@kernel(REAL)
def bounded(x):
    limits = Range(0.0, MOST)
    return min(max(part(x), limits.low), limits.high)
Kernel.registry.remove(bounded)
""",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "values"),
    [
        ("edited_constants", "2.0", "3.0", [6.0, 10.0]),
        ("edited_constants", "10.0", "5.0", [4.0, 5.0]),
        ("edited_routine", "FACTOR * x", "x + 1", [3.0, 10.0]),
        ("edited_kernel", "low: float\n    high: float", "high: float\n    low: float", [0.0, 0.0]),
        ("edited_routine", "'''Twice.'''", "'''FACTOR times.'''  # a comment", None),
    ],
    ids=["constant", "another", "routine", "tuple", "docstring"],
)
def test_an_edit_of_any_file_compiles_the_kernel_again(cache, tmp_path, monkeypatch, file, old, new, values):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before, _ = edited(tmp_path, SOURCES)
    after, hits = edited(tmp_path, {**SOURCES, file: SOURCES[file].replace(old, new)})
    assert before == [4.0, 10.0] and after == (values or before)
    assert hits == (0 if values else 1) and len(kept(cache)) == (2 if values else 1)


def edited(folder: Path, sources: dict[str, str]) -> tuple[list[float], int]:
    """The kernel of these files at 2 and 100, and how often its code came from the cache."""
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
    bounded = import_module("edited_kernel").bounded
    for name in sources:
        del sys.modules[name]
    return [bounded.call(2.0), bounded.call(100.0)], sum(bounded.dispatcher.stats.cache_hits.values())


def test_what_cannot_be_known_again_is_refused():
    module = sys.modules["armature.engine.rounding"]
    with pytest.raises(TypeError, match=r"module in .*: import each constant and routine of a kernel by its name"):
        fingerprint(lambda x: x + module.ROUNDING, (REAL,))


def test_two_programs_that_compile_at_once_leave_each_other_alone(tmp_path):
    both = [start(COMPILE, tmp_path, seed) for seed in (1, 2)]  # sets have another order in each
    outputs = [process.communicate(timeout=PROCESS) for process in both]
    assert outputs == [("True\n", "")] * 2
    (file,) = kept(tmp_path / "armature")
    assert file.name.startswith("_defects-")


def test_a_cache_that_cannot_be_written_is_told_in_one_line_and_a_temporary_one_serves(tmp_path, monkeypatch):
    (tmp_path / "armature").write_text("a file where the folder should be")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    out, err = start(COMPILE, tmp_path).communicate(timeout=PROCESS)
    assert out == "True\n" and not list((tmp_path / "temporary").iterdir())
    (line,) = err.splitlines()
    assert line.startswith(f"kernel cache not writable: {tmp_path / 'armature'}")


def test_a_cache_that_may_not_be_looked_into_is_as_one_that_cannot_be_written(tmp_path):
    out, err = start(COMPILE, tmp_path / ("too long a name" * 20)).communicate(timeout=PROCESS)
    assert out == "True\n"
    (line,) = err.splitlines()
    assert line.startswith("kernel cache not writable: ")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="folders of the XDG standard")
def test_an_empty_variable_is_as_good_as_none(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(name, "")
    assert files.kernel_root() == files.user_cache() == tmp_path / ".cache/armature"
    assert files.user_state() == tmp_path / ".local/state/armature"


def test_what_is_there_is_found_though_nothing_more_can_be_kept(cache, monkeypatch):
    compiled(doubled)
    whole = kernel_cache.write_whole

    def read_only(path, data):
        if path.is_relative_to(cache):
            raise PermissionError(errno.EACCES, "Permission denied")
        return whole(path, data)

    monkeypatch.setattr(kernel_cache, "write_whole", read_only)
    compiled(lambda x: 5.0 * x)
    assert KernelCache.trouble and os.environ["NUMBA_CACHE_DIR"]
    assert compiled(doubled)[1] == 1


def test_a_full_disk_costs_the_cache_and_nothing_else(cache, monkeypatch, caplog):
    def full(path, text):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kernel_cache, "write_whole", full)
    for factor in (2.0, 3.0):
        assert compiled(times(factor))[0].call(1.5) == 1.5 * factor
    assert [record.levelno for record in caplog.records if record.levelno >= logging.WARNING] == [logging.WARNING]
    assert "No space left on device" in caplog.text and not kept(cache)


def test_processes_compile_beside_this_one(cache):
    assert list(kernel_workers.compiled_apart([SMALL], [HOME], lambda: False)) == [SMALL]
    assert any(file.name.startswith("_defects") for file in kept(cache))


def test_a_process_that_dies_is_told_and_its_work_is_done_here(cache, monkeypatch, caplog):
    def dead(homes, target):
        return subprocess.Popen([sys.executable, "-c", ""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(kernel_workers, "_start", dead)
    for home in kernels._HOMES:
        import_module(home)
    (known,) = (entry for entry in Kernel.registry if entry.name == SMALL)
    monkeypatch.setattr(Kernel, "registry", [])
    fresh = Kernel(known.dispatcher.py_func, known.signature)
    seen = []
    engine.warm_up(lambda done, total, name: seen.append((done, total, name)))
    assert seen == [(0, 1, SMALL), (1, 1, "")] and fresh.is_ready
    assert caplog.text.count("ended unexpectedly") >= 1


def test_a_folder_of_another_user_in_the_cache_is_told_in_one_line(cache, monkeypatch, caplog):
    for home in kernels._HOMES:
        import_module(home)
    (known,) = (entry for entry in Kernel.registry if entry.name == SMALL)
    monkeypatch.setattr(Kernel, "registry", [])
    fresh = Kernel(known.dispatcher.py_func, known.signature)
    cache.mkdir()
    (cache / "kernels").write_text("in which nothing can be kept, whoever runs this")
    engine.warm_up()
    assert fresh.is_ready
    (line,) = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert line.startswith(f"kernel cache not writable: {cache} (")


def test_a_process_that_can_keep_nothing_leaves_the_telling_to_this_one(cache, caplog):
    cache.mkdir()
    (cache / "kernels").write_text("in which nothing can be kept, whoever runs this")
    assert list(kernel_workers.compiled_apart([SMALL], [HOME], lambda: False)) == [] and not caplog.records


def test_a_command_calls_a_kernel_that_is_compiled_at_every_start_not_compiled_once(tmp_path):
    command = f"from armature.app import cli; cli._print_engine_log(); {COMPILE}"
    _, err = start(command, tmp_path).communicate(timeout=PROCESS)
    assert err.splitlines() == ["armature: compiling kinematics.targets._defects, once"]
    (tmp_path / "cache").write_text("a file where the folder should be")
    _, err = start(command, tmp_path / "cache").communicate(timeout=PROCESS)
    first, second = err.splitlines()
    assert first.startswith("armature: kernel cache not writable: ")
    assert second == "armature: compiling kinematics.targets._defects"


def test_what_is_cancelled_ends_its_processes(cache):
    assert list(kernel_workers.compiled_apart([SMALL], [HOME], lambda: True)) == []
    assert not _children()


def _children() -> list[str]:
    listing = subprocess.run(["ps", "--no-headers", "-o", "args", "--ppid", str(os.getpid())], capture_output=True, text=True)
    return [line for line in listing.stdout.splitlines() if "kernel_workers" in line]
