"""Compiled code on disk, one file per routine and signature: processes that compile at once leave each other's files whole."""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.serialize import dumps

from armature.engine.files import kernel_root
from armature.engine.kernel_target import SHIPPED

_PACKAGE = Path(__file__).parents[1]
_PARTS: tuple[str, ...] = ("jit", "part_compiler", "lanes", "rotations", "rounding", "model.body")
_PARTS += (
    "model.packed_model",
    "contact.packed_shapes",
    "kinematics.task",
    "singularities.singular_problem",
    "control.controller",
    "simulation.stepping.step_drive",
)
COMPILED = {f"armature.engine.{name}" for name in _PARTS}
"""What compiled code is made of besides the modules that import from `armature.engine.jit`: intrinsics, constants, tuples."""
_IMPORT = re.compile(rb"^from (armature\.engine[\w.]*) import", re.MULTILINE)
_COMPILES = re.compile(rb"^from armature\.engine\.jit import", re.MULTILINE)
_DIGEST = hashlib.sha256().digest_size
READ_ONLY = "read-only"
"""In a temporary folder a link to the cache in which nothing can be kept."""


class KernelCache:
    """What numba asks for the compiled code of one function, and gives it to; `rebuild` makes it out of what was kept."""

    trouble = ""
    """Why compiled code is not kept for the next start, in one line; empty as long as it is."""

    def __init__(self, function: Callable, rebuild: Callable):
        self._function, self._rebuild = function, rebuild
        self._folder = folder_name(function.__module__)  # now: sources may be edited while this runs

    def is_kept(self, signature, codegen) -> bool:
        """Whether there is code of that signature for the target."""
        return any(os.access(path, os.R_OK) for path in self._places(signature, codegen))

    def _places(self, signature, codegen) -> tuple[Path, ...]:
        """Where it is looked for: what came with the installation, the cache, a cache that can only be read."""
        name = self._name(signature, codegen)
        return () if name is None else (SHIPPED / name, kernel_root() / name, kernel_root() / READ_ONLY / name)

    def _name(self, signature, codegen) -> str | None:
        """The name of that file; None where the signature says nothing to another process."""
        code = self._function.__code__
        types = str(signature)
        if " at 0x" in types:
            return None
        made_for = (types, code.co_firstlineno, code.co_code, codegen.magic_tuple(), sys.version_info[:2])
        return f"{self._folder}/{code.co_name}-{hashlib.sha256(repr(made_for).encode()).hexdigest()[:20]}.kernel"

    def load_overload(self, signature, target_context) -> Any:
        """The code that was kept, or None; a damaged file is as good as none."""
        target_context.refresh()
        for path in self._places(signature, target_context.codegen()):
            if text := _whole(path):
                return self._rebuild(target_context, *pickle.loads(text))
        return None

    def save_overload(self, signature, result) -> None:
        """Keeps compiled code for other processes; where that fails, a warning says so once, and what is in memory serves."""
        name = self._name(signature, result.codegen)
        if name is None:
            return
        text = dumps(result._reduce())
        text = hashlib.sha256(text).digest() + text
        keep(lambda: write_whole(kernel_root() / name, text))


def _whole(path: Path) -> bytes:
    """What was kept in the file; nothing where it is not there or damaged."""
    try:
        text = path.read_bytes()
    except OSError:
        return b""
    return text[_DIGEST:] if hashlib.sha256(text[_DIGEST:]).digest() == text[:_DIGEST] else b""


def write_whole(path: Path, text: bytes) -> Path:
    """A file that other processes see whole or not at all; its path. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        if not path.exists():  # else another process was first, and on Windows holds it open
            raise
    return path


def keep(write: Callable[[], object]) -> bool:
    """Whether `write()` could write in `kernel_root()`; that is a temporary folder from the first failure on."""
    for _ in range(2):
        try:
            write()
        except OSError as error:
            if KernelCache.trouble:
                return False
            _use_temporary_folder(error)
        else:
            return True
    return False


def can_keep(modules: Iterable[str]) -> bool:
    """Whether processes started now find what this one compiles of these modules, and it what they compile."""
    return all(keep(partial(_try, folder_name(module))) for module in modules)


def _try(folder: str) -> None:
    """Writes a file into a folder of the cache, which may be another user's though the cache is not. Raises OSError."""
    write_whole(kernel_root() / folder / f"room-{os.getpid()}", bytes(4096)).unlink()


def _use_temporary_folder(error: OSError) -> None:
    """For this process and those that it starts; a warning says, once, that the next start will not find it."""
    reason = error.strerror or str(error)
    KernelCache.trouble = f"kernel cache not writable: {kernel_root()} ({reason}); kernels are compiled at every start"
    logging.getLogger("armature").warning(KernelCache.trouble)
    with suppress(OSError):
        folder = tempfile.mkdtemp(prefix="armature-kernels-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        with suppress(OSError):  # as on Windows, without the right to
            Path(folder, READ_ONLY).symlink_to(kernel_root().absolute(), target_is_directory=True)
        os.environ["NUMBA_CACHE_DIR"] = folder


@cache
def folder_name(module: str) -> str:
    """A name made of the compiled code that `module` is made of, so that every installation shares the folder."""
    state = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for name, text in sorted(_compiled_sources(module, {}).items()):
        if name in COMPILED or _COMPILES.search(text):
            state.update(name.encode() + text)
    return f"kernels-{state.hexdigest()[:16]}"


def _compiled_sources(module: str, found: dict[str, bytes]) -> dict[str, bytes]:
    """Adds the text of `module` and of every module of the engine it builds on, by name, where it holds compiled code."""
    if module not in found and (text := _source(module)):
        found[module] = text
        for match in _IMPORT.findall(text):
            _compiled_sources(match.decode(), found)
    return found


@cache
def _source(module: str) -> bytes:
    path = _PACKAGE / (module.removeprefix("armature.").replace(".", "/") + ".py")
    return path.read_bytes() if path.exists() else b""


def folders_in_use() -> set[str]:
    """The folders of what this process has imported."""
    return {folder_name(name) for name in sys.modules if name.startswith("armature.")}


def prune_cache() -> None:
    """Removes kernels of earlier versions, unused for 30 days, from the user's cache."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    in_use = folders_in_use()
    for folder in kernel_root().glob("kernels-*"):
        if folder.name not in in_use and time.time() - folder.stat().st_mtime > 30 * 86400:
            shutil.rmtree(folder, ignore_errors=True)
