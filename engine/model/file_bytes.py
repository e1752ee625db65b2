"""Reading a file's bytes, or saying in a few words why they cannot be had; and how much a robot's description may hold."""

from __future__ import annotations

from pathlib import Path

# No robot has near as much, and more takes minutes or all memory to read.
MAX_JOINTS = 256  # that move
MAX_LINKS = 4_000
MAX_SHAPES = 10_000
MAX_POSES = 1_000  # with a name
MAX_ELEMENTS = 100_000  # of an XML file, in all


class Unreadable(Exception):
    """A file that is none of the kind expected; `str(error)` says why, without naming the file."""


def file_bytes(path: Path, most: int, kind: str = "robot file") -> bytes:
    """The bytes of the regular file at `path`, at most `most`, which should be of this `kind`. Raises Unreadable."""
    try:
        if path.is_dir():
            raise Unreadable(f"is a folder; give a {kind}")
        if path.exists() and not path.is_file():
            raise Unreadable(f"is not a regular file; give a {kind}")
        size = path.stat().st_size
        if size > most:
            raise Unreadable(f"has {size / 1e6:.1f} MB; a {kind} may have at most {most / 1e6:.0f} MB")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except FileNotFoundError:
        raise Unreadable("file not found") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise Unreadable("is not a valid file name") from None
    if len(data) > most:
        raise Unreadable(f"is larger than {most / 1e6:.0f} MB, the maximum for a {kind}")
    return data


def too_many(count: int, noun: str, most: int) -> str | None:
    """The refusal of more than the `most` parts of a kind, None for no more."""
    return f"has {count:,} {noun}; at most {most:,} are supported" if count > most else None
