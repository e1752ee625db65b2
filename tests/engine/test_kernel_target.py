"""Kernels that come with an installation: taken where they suit the processor, never changed within a process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from armature.engine import kernel_target
from armature.engine.kernel_target import COMMON, NATIVE
from tests.time_limits import PROCESS

ROOT = Path(__file__).resolve().parents[2]
HOME = "armature.engine.kinematics.targets"
LOOK = f"""
import json
from numba.core import event

class Counter(event.Listener):
    count = 0
    def on_start(self, told): self.count += 1
    def on_end(self, told): pass

counter = Counter()
event.register("numba:compile", counter)
import {HOME} as home
home._defects.compile()
from armature.engine.jit import TARGET
from armature.engine.kernel_target import target_name
print(json.dumps([TARGET, target_name(), counter.count]))
"""
MARK = "from armature.engine.kernel_target import native_mark as m; m().parent.mkdir(exist_ok=True); m().touch()"

pytestmark = pytest.mark.skipif(not kernel_target._features() >= kernel_target._LEVEL, reason="not a processor of x86-64-v3")


def run(installation: Path, cache: Path, code: str = LOOK, **settings: str):
    """What `code` prints in an installation, with a cache of its own and without what this process has decided."""
    ours = ("PYTHON", "NUMBA", "ARMATURE")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    clean |= {"PYTHONPATH": str(installation), "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cache, env=clean | settings, capture_output=True, text=True, timeout=PROCESS
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Path:
    """An installation without kernels."""
    folder = tmp_path_factory.mktemp("installation")
    shutil.copytree(ROOT / "armature", folder / "armature", ignore=shutil.ignore_patterns("app", "robots", "assets", "docs"))
    return folder


@pytest.fixture(scope="module")
def installation(bare, tmp_path_factory) -> Path:
    """An installation that brings one kernel, made there for the common level."""
    compiled = bare / "armature" / "compiled"
    run(bare, tmp_path_factory.mktemp("empty"), ARMATURE_TARGET=COMMON, NUMBA_CACHE_DIR=str(compiled))
    manifest = compiled / kernel_target.MANIFEST.name
    manifest.write_text(json.dumps(kernel_target.conditions()))
    return bare


def state(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_kernels_that_came_along_are_loaded_and_nothing_is_compiled_or_written(installation, tmp_path):
    before = state(installation)
    assert run(installation, tmp_path) == [COMMON, COMMON, 0]
    assert state(installation) == before and not list(tmp_path.iterdir())


def test_a_processor_with_less_compiles_for_itself(installation, tmp_path):
    before = state(installation)
    target, name, count = run(installation, tmp_path, NUMBA_ENABLE_AVX="0")
    assert target == NATIVE and name != COMMON and count > 0
    assert state(installation) == before and list(tmp_path.glob("armature/kernels/_defects-*"))


def test_kernels_of_another_numba_are_left_alone(installation, tmp_path):
    manifest = installation / "armature" / "compiled" / kernel_target.MANIFEST.name
    told = manifest.read_text()
    manifest.write_text(json.dumps(kernel_target.conditions() | {"numba": "0.1"}))
    try:
        assert run(installation, tmp_path)[0] == NATIVE
    finally:
        manifest.write_text(told)


def test_a_damaged_one_is_compiled_anew_for_the_same_target(installation, tmp_path):
    (file,) = (installation / "armature" / "compiled").glob("kernels/_defects-*")
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    try:
        target, name, count = run(installation, tmp_path)
        assert (target, name) == (COMMON, COMMON) and count > 0
        assert run(installation, tmp_path) == [COMMON, COMMON, 0]  # it was kept in the user's cache
    finally:
        file.write_bytes(whole)


def test_what_the_user_says_of_all_of_numba_goes_first(installation, tmp_path):
    target, name, _ = run(installation, tmp_path, NUMBA_CPU_NAME="generic")
    assert (target, name) == (NATIVE, "generic")


def test_code_that_was_compiled_before_has_decided(installation, tmp_path):
    first = "import numba\nnumba.njit('f8(f8)')(lambda x: 2 * x)\n"
    assert run(installation, tmp_path, first + LOOK)[0] == NATIVE


def test_the_next_start_takes_kernels_for_this_processor_once_they_are_whole(installation, tmp_path):
    run(installation, tmp_path, MARK)
    assert run(installation, tmp_path)[0] == NATIVE
    assert run(installation, tmp_path, ARMATURE_TARGET=COMMON)[0] == COMMON  # begun by a process that has these


def test_processes_that_are_started_have_the_same_target(installation, tmp_path):
    code = "import subprocess, sys\nimport armature.engine.jit\n" + MARK + f"\nsubprocess.run([sys.executable, '-c', {LOOK!r}])"
    assert run(installation, tmp_path, code)[0] == COMMON
