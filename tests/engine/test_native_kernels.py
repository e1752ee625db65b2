"""Kernels for this very processor: made for the next start, by one program at a time, or told why not."""

from __future__ import annotations

import pytest

from armature.engine import kernel_target
from armature.engine.kernel_target import COMMON, NATIVE
from tests.engine.test_kernel_target import HOME, LOOK, bare, installation, run  # noqa: F401  (fixtures)

MAKE = f"""
import json, os
import {HOME}
from armature.engine import native_kernels
from armature.engine.errors import EngineError
from armature.engine.jit import TARGET, Kernel
from armature.engine.kernel_target import native_mark, target_name

native_kernels.imported = lambda more: ("{HOME}",)
native_kernels.ranked = lambda: [entry for entry in Kernel.registry if entry.name.endswith("._defects")]
told = []
cancelled = lambda: False
BEFORE
try:
    made = native_kernels.make_native(lambda *done: told.append(done), cancelled)
except EngineError as error:
    made = str(error)
print(json.dumps([TARGET, target_name(), native_kernels.waits_for_native(), made, told]))
"""
WAIT = """
from armature.engine.files import lock
native_mark().parent.mkdir()
other, asked = os.open(f"{native_mark()}.making", os.O_CREAT | os.O_RDWR), []
lock(other)
def cancelled():
    asked.append(told[:])
    if len(asked) == 2:
        assert asked == [[], []] and len(list(native_mark().parent.iterdir())) == 1
        FINISH
        os.close(other)
    return False
"""
FULL = """
import errno, sys
if any("kernel_workers" in word for word in sys.orig_argv):
    from armature.engine import kernel_cache
    def full(path, text):
        raise OSError(errno.ENOSPC, "No space left on device")
    kernel_cache.write_whole = full
"""

pytestmark = pytest.mark.skipif(not kernel_target._features() >= kernel_target._LEVEL, reason="not a processor of x86-64-v3")


def make(before: str = "") -> str:
    return MAKE.replace("BEFORE", before)


def test_they_are_whole_for_the_next_start_and_this_one_keeps_its_own(installation, tmp_path):  # noqa: F811
    assert run(installation, tmp_path, make()) == [COMMON, COMMON, False, True, [[0, 1], [1, 1]]]
    target, _, count = run(installation, tmp_path)
    assert (target, count) == (NATIVE, 0)


def test_one_that_is_cancelled_leaves_the_next_start_as_it_was(installation, tmp_path):  # noqa: F811
    assert run(installation, tmp_path, make("cancelled = lambda: True")) == [COMMON, COMMON, True, False, [[0, 1]]]
    assert run(installation, tmp_path)[0] == COMMON


def test_two_programs_do_not_do_it_at_once(installation, tmp_path):  # noqa: F811
    waited = WAIT.replace("FINISH", "pass")
    assert run(installation, tmp_path, make(waited))[2:] == [False, True, [[0, 1], [1, 1]]]


def test_what_the_other_has_finished_is_not_done_again(installation, tmp_path):  # noqa: F811
    waited = WAIT.replace("FINISH", "native_mark().touch()")
    assert run(installation, tmp_path, make(waited))[2:] == [False, True, []]


def test_a_folder_that_takes_nothing_is_told(installation, tmp_path):  # noqa: F811
    (tmp_path / "armature").touch()
    _, _, waits, why, told = run(installation, tmp_path, make())
    assert waits and not told and why.startswith(f"kernels for this processor cannot be saved in {tmp_path / 'armature'}: ")


def test_a_disk_that_fills_up_in_the_middle_promises_the_next_start_nothing(installation, tmp_path):  # noqa: F811
    customize = tmp_path / "site"
    customize.mkdir()
    (customize / "sitecustomize.py").write_text(FULL)
    told = run(installation, tmp_path, f"import os\nos.environ['PYTHONPATH'] = {str(customize)!r}\n" + make())
    assert told == [COMMON, COMMON, True, False, [[0, 1]]]
    assert run(installation, tmp_path)[0] == COMMON
