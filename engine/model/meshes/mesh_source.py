"""`MeshSource`: the bytes of a mesh file and of the material libraries it names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from armature.engine.model.file_bytes import real_path
from armature.engine.model.meshes import dae_mesh, obj_mesh, stl_mesh
from armature.engine.model.meshes.triangle_soup import MeshError, Soup

MAX_BYTES = 256_000_000
MAX_LIBRARY = 4_000_000


@dataclass(frozen=True)
class MeshSource:
    """Content `data` of a mesh file, and of its material libraries by file name, `materials`."""

    data: bytes
    materials: dict[str, bytes] = field(default_factory=dict)

    @staticmethod
    def of(path: Path) -> MeshSource:
        """The file at `path`. Raises MeshError."""
        data = _bytes(path, MAX_BYTES)
        if _is_obj(data):
            return MeshSource(data, {name: text for name in obj_mesh.libraries(data) if (text := _library(path.parent, name))})
        return MeshSource(data)

    def digest(self, options: str) -> str:
        """A name for this content read with these options."""
        total = hashlib.blake2b(options.encode(), digest_size=20)
        for part in (self.data, *self.materials.values()):
            total.update(len(part).to_bytes(8, "little"))
            total.update(part)
        return total.hexdigest()

    def read(self) -> Soup:
        """The triangles, in whatever format the content is; the file's suffix does not matter. Raises MeshError."""
        return self._soup().validate()

    def _soup(self) -> Soup:
        if not self.data:
            raise MeshError("is empty")
        if stl_mesh.is_binary(self.data):
            return stl_mesh.read(self.data)
        if dae_mesh.is_dae(self.data):
            return dae_mesh.read(self.data)
        if stl_mesh.is_text(self.data):
            return stl_mesh.read(self.data)
        if _is_obj(self.data):
            return obj_mesh.read(self.data, self.materials)
        if b"\0" in self.data[:4000]:
            return stl_mesh.read(self.data)  # reports how much of it is missing
        raise MeshError("is not an STL, COLLADA or OBJ file")


def _is_obj(data: bytes) -> bool:
    text = data[:4000]
    return (
        b"\0" not in text
        and not stl_mesh.is_binary(data)
        and not dae_mesh.is_dae(data)
        and not stl_mesh.is_text(data)
        and obj_mesh.is_obj(data)
    )


def _bytes(path: Path, most: int) -> bytes:
    try:
        size = path.stat().st_size
        if size > most:
            raise MeshError(f"is {size / 1e6:,.0f} MB; the limit is {most / 1e6:,.0f} MB")
        return path.read_bytes()
    except OSError as error:
        raise MeshError(f"cannot be read: {error.strerror or error}") from None


def _library(folder: Path, name: str) -> bytes:
    """Content of a material library in the folder of its mesh; empty if it is missing or elsewhere: it only has colours."""
    try:
        path = real_path(folder / name)
        return _bytes(path, MAX_LIBRARY) if path.is_relative_to(real_path(folder)) else b""
    except (MeshError, OSError, ValueError):
        return b""
