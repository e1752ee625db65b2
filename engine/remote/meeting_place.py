"""Meeting place of windows and scripts: a private folder with a secret and a socket.

No network port is opened: the socket is a named pipe on Windows, a Unix socket elsewhere. Both sides prove by HMAC that they
have the secret before either reads a message.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path

from armature.engine.errors import ViewError
from armature.engine.files import atomic_file, user_cache
from armature.engine.remote.messages import PROTOCOL

KEY, CARD, LOG = "key", "window.json", "log"
LONGEST = 100  # bytes of a socket's path that every system takes
PATIENCE = 5.0  # s that the other side may take to prove itself


@dataclass(frozen=True)
class Place:
    """The folder of one window."""

    folder: Path

    @property
    def key(self) -> bytes:
        """The secret. Raises OSError without the permission to read it."""
        return (self.folder / KEY).read_bytes()

    @property
    def card(self) -> dict:
        """Description of a listening window: address, protocol, display, process; empty before it listens."""
        try:
            return json.loads((self.folder / CARD).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def open(self) -> Listener:
        """Begin to listen, with a new secret."""
        make_private(self.folder)
        _write(self.folder / KEY, secrets.token_bytes(32))
        address = self._address()
        listener = Listener(address, backlog=16)
        if sys.platform != "win32":
            os.chmod(address, 0o600)  # noqa: PTH101 - an address
        card = {"address": address, "protocol": PROTOCOL, "display": display(), "pid": os.getpid()}
        _write(self.folder / CARD, json.dumps(card).encode())
        return listener

    def connect(self) -> Connection:
        """Reach the window; OSError or EOFError where none is there, AuthenticationError where the secret is another one."""
        return Client(self.card["address"], authkey=self.key)

    def remove(self) -> None:
        """The window is gone."""
        address = Path(str(self.card.get("address") or self.folder))
        if address.parent not in (self.folder, self.folder.parent) and address.parent.name.startswith("armature-"):
            shutil.rmtree(address.parent, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _address(self) -> str:
        if sys.platform == "win32":
            return rf"\\.\pipe\armature-{secrets.token_hex(16)}"
        address = str(self.folder / "socket")
        if len(os.fsencode(address)) <= LONGEST:
            return address
        return str(Path(tempfile.mkdtemp(prefix="armature-")) / "socket")  # 0700, too


class _Patient:
    """Connection with a timeout, so that a silent client blocks nothing."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def send_bytes(self, data: bytes) -> None:
        self._connection.send_bytes(data)

    def recv_bytes(self, most: int) -> bytes:
        if not self._connection.poll(PATIENCE):
            raise EOFError("connected, but no greeting of Armature was received")
        return self._connection.recv_bytes(most)


def let_in(connection: Connection, key: bytes) -> bool:
    """Authenticate both sides; True if the client has the secret."""
    patient = _Patient(connection)
    try:
        deliver_challenge(patient, key)  # type: ignore[arg-type]
        answer_challenge(patient, key)  # type: ignore[arg-type]
    except Exception:  # whatever a stranger sends
        return False
    return True


def new_place() -> Place:
    """A place for another window."""
    return Place(root() / secrets.token_hex(8))


def places() -> Iterator[Place]:
    """Places of the listening windows on this display, newest first; remains of ended windows are removed."""
    found = [folder for folder in root().iterdir() if folder.is_dir()]
    for folder in sorted(found, key=lambda folder: folder.stat().st_mtime, reverse=True):
        place = Place(folder)
        card = place.card
        if card and not _lives(card.get("pid")):
            place.remove()
        elif card.get("protocol") == PROTOCOL and card.get("display") == display():
            yield place


def root() -> Path:
    """The folder of all places, which only the user can enter. Raises ViewError."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(base) / "armature" if base and os.access(base, os.W_OK) else user_cache() / "windows"
    make_private(folder)
    return folder


def make_private(folder: Path) -> None:
    """Make a folder that only the user can enter; ViewError where it belongs to somebody else."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform == "win32":
            return
        seen = folder.lstat()
        if seen.st_uid != os.geteuid() or not stat.S_ISDIR(seen.st_mode):
            raise ViewError(f"{folder}: belongs to another user; the window needs a folder of your own to accept scripts")
        if seen.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise ViewError(f"{folder}: cannot be used for connections from scripts: {error.strerror or error}") from None


def display() -> str:
    """The screen that windows of this process open on."""
    return os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY", "")


def _write(path: Path, data: bytes) -> None:
    """Write a file that only the user can read, complete or not at all."""
    with atomic_file(path) as part:
        part.touch(0o600)
        part.write_bytes(data)


def _lives(pid) -> bool:
    if sys.platform == "win32" or not isinstance(pid, int) or pid <= 0:
        return sys.platform == "win32"
    with contextlib.suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
