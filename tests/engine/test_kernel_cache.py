"""Compiled code on disk: found again, whole, and no condition for anything."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from numba import types

from armature import engine
from armature.engine import files, kernel_cache, kernel_workers, kernels
from armature.engine.jit import REAL, Kernel, entry, inner
from armature.engine.kernel_cache import KernelCache
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]
HOME, SMALL = "armature.engine.kinematics.targets", "armature.engine.kinematics.targets._defects"
COMPILE = f"import {HOME} as home; home._defects.compile(); print(home._defects.is_kept())"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, and nothing known of any trouble with it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(KernelCache, "trouble", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # so that what is set here is taken back
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    return tmp_path / "armature"


def start(code: str, cache_home: Path) -> subprocess.Popen:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache_home)}
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def doubled(x):
    return 2.0 * x


def kept(cache: Path) -> list[Path]:
    return sorted(cache.glob("kernels-*/*"))


def test_code_is_kept_and_found_again_and_a_damaged_file_is_as_good_as_none(cache):
    first = entry(doubled)
    first.compile((REAL,))
    (file,) = kept(cache)
    again = entry(doubled)
    again.compile((REAL,))
    assert again(2.5) == 5.0 and sum(again._cache_hits.values()) == 1
    file.write_bytes(file.read_bytes()[:-100])
    third = entry(doubled)
    third.compile((REAL,))
    assert third(2.5) == 5.0 and sum(third._cache_hits.values()) == 0
    assert kept(cache) == [file]


def test_a_part_has_code_for_its_callers_and_no_way_in(cache):
    part = inner(doubled)
    whole = entry(lambda x: part(x) + 1.0)
    whole.compile((REAL,))
    assert whole(2.0) == 5.0
    assert len(kept(cache)) == 2
    with pytest.raises(TypeError):
        part(2.0)
    second = entry(lambda x: inner_again(x) - 1.0)
    inner_again = inner(doubled)  # from the cache
    second.compile((REAL,))
    assert second(2.0) == 3.0 and sum(inner_again._cache_hits.values()) == 1


def test_two_programs_that_compile_at_once_leave_each_other_alone(tmp_path):
    both = [start(COMPILE, tmp_path) for _ in range(2)]
    outputs = [process.communicate(timeout=PROCESS) for process in both]
    assert outputs == [("True\n", "")] * 2
    assert not list(tmp_path.rglob("*.part"))


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
    entry(doubled).compile((REAL,))
    whole = kernel_cache.write_whole

    def read_only(path, text):
        if path.is_relative_to(cache):
            raise PermissionError(errno.EACCES, "Permission denied")
        return whole(path, text)

    monkeypatch.setattr(kernel_cache, "write_whole", read_only)
    entry(lambda x: 5.0 * x).compile((REAL,))
    assert KernelCache.trouble and os.environ["NUMBA_CACHE_DIR"]
    again = entry(doubled)
    again.compile((REAL,))
    assert sum(again._cache_hits.values()) == 1


def test_a_full_disk_costs_the_cache_and_nothing_else(cache, monkeypatch, caplog):
    def full(path, text):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(kernel_cache, "write_whole", full)
    for factor in (2.0, 3.0):
        kernel = entry(lambda x, factor=factor: factor * x)
        kernel.compile((REAL, types.Omitted(factor)))
        assert kernel(1.5) == 1.5 * factor
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
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
    fresh = Kernel(known.dispatcher.py_func, known._signature)
    seen = []
    engine.warm_up(lambda done, total, name: seen.append((done, total, name)))
    assert seen == [(0, 1, SMALL), (1, 1, "")] and fresh.is_ready
    assert caplog.text.count("ended unexpectedly") >= 1


def test_a_folder_of_another_user_in_the_cache_is_told_in_one_line(cache, monkeypatch, caplog):
    for home in kernels._HOMES:
        import_module(home)
    (known,) = (entry for entry in Kernel.registry if entry.name == SMALL)
    monkeypatch.setattr(Kernel, "registry", [])
    fresh = Kernel(known.dispatcher.py_func, known._signature)
    cache.mkdir()
    (cache / kernel_cache.folder_name(HOME)).write_text("in which nothing can be kept, whoever runs this")
    engine.warm_up()
    assert fresh.is_ready
    (line,) = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert line.startswith(f"kernel cache not writable: {cache} (")


def test_a_process_that_can_keep_nothing_leaves_the_telling_to_this_one(cache, caplog):
    cache.mkdir()
    (cache / kernel_cache.folder_name(HOME)).write_text("in which nothing can be kept, whoever runs this")
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
