"""Every kernel is warmed up: none is left to compile at a user's first click."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from armature import engine
from armature.engine.jit import Kernel

ENGINE = Path(engine.__file__).parent


def test_warm_up_reaches_every_kernel_of_the_engine():
    for source in ENGINE.rglob("*.py"):
        if re.search(r"^@(kernel|single_state)\b", source.read_text(encoding="utf-8"), re.MULTILINE):
            import_module(".".join(source.relative_to(ENGINE.parent).with_suffix("").parts))
    seen = []
    engine.warm_up(lambda done, total, name: seen.append((done, total, name)))
    assert {name for _, _, name in seen} - {""} == {entry.name for entry in Kernel.registry}
    assert seen[-1][0] == seen[-1][1] == len(Kernel.registry)
    assert all(entry.is_ready for entry in Kernel.registry)
