"""The zip archive of a session: written atomically, and read without trust in names, sizes or counts."""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from armature.engine.errors import Cancelled, EngineError, one_line
from armature.engine.files import atomic_file, reason

SUFFIX = ".armature"
MOST_ENTRIES = 500
LARGEST_TEXT = 4_000_000  # bytes
LARGEST_DIRECTORY = 1_000_000  # bytes of the list of entries
RATIO = 200  # of unpacked to packed bytes; TOML, CSV and meshes reach 20
CHUNK = 1 << 20
_NAME = re.compile(r"\w[^\x00-\x1f\\:*?\"<>|]{0,199}")
_END, _END64, _LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, LookupError, RuntimeError, NotImplementedError)

Progress = Callable[[int, int], None]
IsCancelled = Callable[[], bool]


def ignore(_done: int, _total: int) -> None:
    """Report no progress."""


def never() -> bool:
    """Cancel nothing."""
    return False


class SessionError(EngineError):
    """Session that cannot be written or read; the message names the file, the part and the reason."""


def write_archive(
    path: Path,
    parts: Mapping[str, bytes | Path],
    progress: Progress = ignore,
    cancelled: IsCancelled = never,
) -> None:
    """Write the parts, texts or files by their names in the archive; files are copied without compression.

    Raises:
        SessionError: a file cannot be read or written; the previous archive remains.
        Cancelled: `cancelled()` returned True.
    """
    try:
        sizes = [part.stat().st_size if isinstance(part, Path) else len(part) for part in parts.values()]
        total, done = sum(sizes), 0
        with atomic_file(path, SessionError) as target, zipfile.ZipFile(target, "w") as archive:
            for (name, part), size in zip(parts.items(), sizes, strict=True):
                if isinstance(part, bytes):
                    archive.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
                    continue
                with part.open("rb") as source, archive.open(zipfile.ZipInfo(name), "w", force_zip64=size > 1 << 30) as out:
                    for chunk in _chunks(source, cancelled):
                        out.write(chunk)
                        done += len(chunk)
                        progress(done, total)
    except OSError as error:
        raise SessionError(f"{error.filename or path}: {reason(error)}") from None


def _chunks(source: IO[bytes], cancelled: IsCancelled) -> Iterator[bytes]:
    while chunk := source.read(CHUNK):
        if cancelled():
            raise Cancelled
        yield chunk


class SessionArchive:
    """An open archive whose list of entries was checked: `sizes` has their unpacked bytes by name.

    Raises SessionError, here and in all methods, with the file, the entry and the reason.
    """

    def __init__(self, path: Path):
        self.path = path
        with self._failures():
            if not path.is_file():
                raise SessionError(f"{path}: {'is not a regular file' if path.exists() else 'file not found'}")
            with path.open("rb") as stream:
                _check_directory(stream, path)
            self._zip = zipfile.ZipFile(path)
            try:
                self.sizes = self._checked()
            except BaseException:
                self._zip.close()
                raise

    @property
    def fingerprint(self) -> list[tuple[str, int, int]]:
        """Names, sizes and checksums of the entries."""
        return [(entry.filename, entry.file_size, entry.CRC) for entry in self._zip.infolist()]

    def __enter__(self) -> SessionArchive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def read(self, name: str, most: int = LARGEST_TEXT) -> bytes:
        """Return the bytes of an entry, at most `most`."""
        if name not in self.sizes:
            raise SessionError(f"{self.path}: has no {name}")
        self._check_size(name, most)
        with self._failures(name), self._zip.open(name) as source:
            data = source.read(most + 1)
            self._check_length(name, len(data))
        return data

    def text(self, name: str) -> str:
        """Return an entry as text."""
        data = self.read(name)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SessionError(f"{self.path}: {name} is not text: byte {error.start} is not UTF-8") from None

    def extract(
        self,
        name: str,
        target: Path,
        most: int | None = None,
        progress: Progress = ignore,
        cancelled: IsCancelled = never,
    ) -> None:
        """Write an entry of at most `most` bytes to the file `target`, in a folder that need not exist."""
        self._check_size(name, most)
        target.parent.mkdir(parents=True, exist_ok=True)
        done = 0
        with self._failures(name), self._zip.open(name) as source, atomic_file(target, SessionError) as part:
            with part.open("wb") as out:
                for chunk in _chunks(source, cancelled):
                    done += out.write(chunk)
                    progress(done, self.sizes[name])
            self._check_length(name, done)

    def _check_size(self, name: str, most: int | None) -> None:
        if most is not None and self.sizes[name] > most:
            raise SessionError(f"{self.path}: {name} has {self.sizes[name]:,} bytes; at most {most:,} are read")

    def _check_length(self, name: str, length: int) -> None:
        if length != self.sizes[name]:
            raise SessionError(f"{self.path}: {name} does not have the {self.sizes[name]:,} bytes that the archive declares")

    def _checked(self) -> dict[str, int]:
        """Sizes of the entries by name, after checks of their names, kinds and sizes."""
        entries = [entry for entry in self._zip.infolist() if not (entry.is_dir() and not entry.file_size)]
        if len(entries) > MOST_ENTRIES:
            raise SessionError(f"{self.path}: has {len(entries):,} entries; at most {MOST_ENTRIES} are read")
        for entry in entries:
            if fault := _fault(entry):
                raise SessionError(f"{self.path}: {one_line(entry.orig_filename, 80)!r} {fault}; nothing was opened")
        count = Counter(entry.filename.casefold() for entry in entries)
        if twice := [entry.filename for entry in entries if count[entry.filename.casefold()] > 1]:
            raise SessionError(f"{self.path}: {twice[0]!r} is there twice; nothing was opened")
        if sum(entry.compress_size for entry in entries) > self.path.stat().st_size:
            raise SessionError(f"{self.path}: its entries overlap (zip bomb); nothing was opened")
        return {entry.filename: entry.file_size for entry in entries}

    @contextmanager
    def _failures(self, name: str = "") -> Iterator[None]:
        place = f"{self.path}: {name}" if name else f"{self.path}"
        try:
            yield
        except OSError as error:
            raise SessionError(f"{place}: {reason(error)}") from None
        except _DAMAGED as error:
            raise SessionError(f"{place}: is damaged or not a session: {one_line(str(error), 120)}") from None


def _fault(entry: zipfile.ZipInfo) -> str:
    """Why an entry is not read; empty if it is."""
    name, mode = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    parts = entry.orig_filename.split("/")
    if entry.orig_filename.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name):
        return "leads out of the session"
    if name != entry.orig_filename or not _NAME.fullmatch(name) or {"", "."} & set(parts):
        return "is not a valid name"
    if mode not in (0, stat.S_IFREG):
        return "is a link or a special file"
    if entry.flag_bits & 1:
        return "is encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed by an unknown method"
    if entry.file_size > RATIO * entry.compress_size + CHUNK:
        return f"would unpack {entry.compress_size:,} bytes to {entry.file_size:,} (zip bomb)"
    return ""


def _check_directory(stream: IO[bytes], path: Path) -> None:
    """Refuse a list of entries so long that reading it would need much memory."""
    length = stream.seek(0, 2)
    stream.seek(max(0, length - (1 << 16) - 64))
    tail = stream.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise SessionError(f"{path}: is damaged or not a session: it does not end as a zip archive")
    (size,) = struct.unpack_from("<L", tail, at + 12)
    if tail[max(0, at - 20) :].startswith(_LOCATOR):
        (place,) = struct.unpack_from("<Q", tail, at - 12)
        stream.seek(min(place, length))
        record = stream.read(56)
        size = max(size if size != 0xFFFFFFFF else 0, struct.unpack_from("<Q", record, 40)[0] if record.startswith(_END64) else 0)
    if size > LARGEST_DIRECTORY:
        raise SessionError(f"{path}: its list of entries has {size:,} bytes (zip bomb); nothing was opened")
