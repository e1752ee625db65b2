"""`MeshCache`: meshes on disk that were read before, named after the content they come from."""

from __future__ import annotations

import os
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from armature.app.scene.gl.mesh import VERTEX, Mesh
from armature.engine.files import atomic_file, user_cache

MOST_BYTES = 256_000_000
SUFFIX = ".npz"
UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError)


class MeshCache:
    """A folder of `<name>.npz`; what cannot be read there counts as not there, what cannot be written is left out.

    Files are written beside and renamed, so that no reader sees half of one; zip's checksums tell a spoilt one.
    """

    def __init__(self, folder: Path | None = None, most: int = MOST_BYTES):
        self.folder = user_cache() / "meshes" if folder is None else folder
        self._most = most

    def get(self, name: str) -> Mesh | None:
        """The mesh of that name."""
        path = self.folder / f"{name}{SUFFIX}"
        try:
            with np.load(path, allow_pickle=False) as data:
                mesh = Mesh(data["vertices"], data["faces"])
            if not _is_whole(mesh):
                return None
            os.utime(path)  # the least recently used go first
        except UNREADABLE:
            return None
        return mesh

    def put(self, name: str, mesh: Mesh) -> None:
        """Keep a mesh."""
        with suppress(OSError):  # a full disk, a folder that is none: the mesh is read anew next time
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_file(self.folder / f"{name}{SUFFIX}") as part, part.open("wb") as file:
                np.savez(file, vertices=mesh.vertices, faces=mesh.faces)

    def prune(self) -> None:
        """Throw away what was not used for longest until the rest fits, and what an ended process left half written."""
        try:
            files = [(path, path.stat()) for path in self.folder.iterdir() if path.suffix in (SUFFIX, ".part")]
        except OSError:
            return
        total = 0
        for path, stat in sorted(files, key=lambda file: -file[1].st_mtime):
            total += stat.st_size
            stale = path.suffix == ".part" and time.time() - stat.st_mtime > 3600
            if total > self._most or stale:
                with suppress(OSError):  # in use by another process: the next time will do
                    path.unlink(missing_ok=True)


def _is_whole(mesh: Mesh) -> bool:
    fits = mesh.vertices.dtype == VERTEX and mesh.vertices.ndim == 1 and mesh.faces.dtype == np.uint32
    return bool(fits and mesh.faces.shape[1:] == (3,) and len(mesh.faces) and mesh.faces.max() < len(mesh.vertices))
