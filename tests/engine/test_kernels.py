"""Every kernel is warmed up: none is left to compile at a user's first click."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from armature import engine
from armature.engine.jit import Kernel

ENGINE = Path(engine.__file__).parent


def name_of(source: Path) -> str:
    return ".".join(("armature.engine", *source.relative_to(ENGINE).with_suffix("").parts))


def test_warm_up_reaches_every_kernel_of_the_engine():
    for source in ENGINE.rglob("*.py"):
        if re.search(r"^@kernel\b", source.read_text(encoding="utf-8"), re.MULTILINE):
            import_module(name_of(source))
    seen = []
    engine.warm_up(lambda done, total, name: seen.append((done, total, name)))
    total = len(Kernel.registry)
    assert [(done, most) for done, most, _ in seen] == [(k, total) for k in range(total + 1)]
    # Processes that fill an empty cache end in any order, so that a kernel need not have been the next one.
    assert {name for _, _, name in seen} - {""} <= {entry.name for entry in Kernel.registry} and not seen[-1][2]
    assert all(entry.is_ready for entry in Kernel.registry)
