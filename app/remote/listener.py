"""`ScriptListener`: lets one script at a time in, on threads of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Client, Connection

from armature.app.remote.session import Session
from armature.engine.remote.meeting_place import Place, let_in
from armature.engine.remote.messages import PROTOCOL, BadMessageError, Hello, Refused, Welcome, encode, read_script
from armature.engine.remote.script_connection import CLOSED

PATIENCE = 5.0  # s that a script which knows the secret may take to say who it is
FAREWELL = 0.3  # s that the last word may take before the program ends
HANDOVER = 0.5  # s in which the script before may still be about to leave


class ScriptListener:
    """`session` is the script that was let in last, which may be gone. `arrived` is called on another thread."""

    def __init__(self, place: Place, arrived: Callable[[], None] = lambda: None):
        self._place, self._arrived = place, arrived
        self._listener, self._key = place.open(), place.key
        self._address = self._listener.address
        self._choosing = threading.Lock()
        self._ends = threading.Event()
        self.session: Session | None = None
        self._thread = threading.Thread(target=self._accept, name="script-listener", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Let go of the script, and nobody in any more."""
        self._ends.set()
        with suppress(OSError, EOFError):
            Client(self._address).close()  # wakes the thread
        self._thread.join(2.0)
        self._listener.close()
        if self.session is not None:
            self.session.part(CLOSED)
            self.session.left.wait(FAREWELL)
        self._place.remove()

    def _accept(self) -> None:
        while not self._ends.is_set():
            try:
                connection = self._listener.accept()
            except OSError:  # it left again before it was let in
                self._ends.wait(0.01)
                continue
            if self._ends.is_set():
                connection.close()
                return
            threading.Thread(target=self._receive, args=(connection,), name="script", daemon=True).start()

    def _receive(self, connection: Connection) -> None:
        """One who knocks: a script that knows the secret becomes the session, for as long as it stays."""
        session = None
        try:
            if let_in(connection, self._key) and connection.poll(PATIENCE):
                hello = read_script(connection.recv_bytes(1 << 16))
                session = self._chosen(connection, hello) if isinstance(hello, Hello) else None
        except (OSError, EOFError, BadMessageError):
            session = None
        if session is None:
            connection.close()
            return
        self._arrived()
        session.listen()

    def _chosen(self, connection: Connection, hello: Hello) -> Session | None:
        with self._choosing:
            if hello.protocol != PROTOCOL:
                _refuse(
                    connection,
                    f"the window uses protocol {PROTOCOL}, the script uses protocol {hello.protocol}; "
                    "use the same version of Armature",
                )
                return None
            if self.session is not None and not self.session.gone.wait(HANDOVER):
                _refuse(connection, f"{self.session.name} (process {self.session.pid}) already controls it")
                return None
            connection.send_bytes(encode(Welcome(PROTOCOL)))
            self.session = Session(connection, hello.name, hello.pid)
            return self.session


def _refuse(connection: Connection, why: str) -> None:
    connection.send_bytes(encode(Refused(why)))
