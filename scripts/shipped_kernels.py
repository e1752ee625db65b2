"""Compiles every kernel for the processor level that most share, into a folder for a wheel: `shipped_kernels.py FOLDER`.

What is in the folder already and still belongs to these sources is not compiled again.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(folder: Path) -> None:
    """Fills the folder; numba and the engine are imported once they are told where to and for which processor."""
    os.environ |= {"NUMBA_CACHE_DIR": str(folder), "ARMATURE_TARGET": "x86-64-v3"}
    sys.path.insert(0, str(ROOT))
    from armature.app.application import KERNELS
    from armature.engine import warm_up
    from armature.engine.jit import TARGET, Kernel
    from armature.engine.kernel_cache import FOLDER
    from armature.engine.kernel_target import COMMON, MANIFEST, conditions
    from armature.engine.kernels import print_progress

    if TARGET != COMMON:
        sys.exit(f"kernels for {COMMON} can only be compiled on a processor that has it")
    warm_up(print_progress, more=KERNELS)
    wanted = {entry.cache.name for entry in Kernel.registry}
    for path in folder.iterdir():
        if path.is_dir() and path.name != FOLDER:
            shutil.rmtree(path)
    for path in (folder / FOLDER).iterdir():
        if path.name not in wanted:
            path.unlink()
    (folder / MANIFEST.name).write_text(json.dumps(conditions(), indent=1) + "\n", "utf-8")
    files = list(folder.glob(f"{FOLDER}/*.kernel"))
    print(f"{len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.0f} MB, in {folder}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: shipped_kernels.py FOLDER")
    main(Path(sys.argv[1]).absolute())
