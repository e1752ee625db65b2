"""`Channel`: messages between the program and the process of a law, over a stream socket."""

from __future__ import annotations

import socket
import struct
import weakref

_HEAD = struct.Struct("<cI")
_MOST = 1 << 16  # bytes requested of the system at once; a call is a few hundred


class Channel:
    """Sends and receives pairs of one byte, which says what a message is, and its bytes.

    `receive` raises TimeoutError where nothing came in time and ConnectionError where the other side is gone.
    """

    def __init__(self, sock: socket.socket):
        self._socket, self._read = sock, b""
        sock.settimeout(None)
        weakref.finalize(self, sock.close)  # a process that nobody refers to any more ends with it

    def send(self, kind: bytes, body: bytes = b"") -> None:
        """Sends one message. Raises OSError where the other side is gone."""
        self._socket.sendall(_HEAD.pack(kind, len(body)) + body)

    def receive(self, seconds: float | None = None) -> tuple[bytes, bytes]:
        """The next message, within `seconds`, or whenever it comes."""
        if seconds != self._socket.gettimeout():
            self._socket.settimeout(seconds)
        while True:
            read = self._read
            if len(read) >= _HEAD.size:
                kind, length = _HEAD.unpack_from(read)
                end = _HEAD.size + length
                if len(read) >= end:
                    self._read = read[end:]
                    return kind, read[_HEAD.size : end]
            more = self._socket.recv(_MOST)
            if not more:
                raise ConnectionResetError("the other process has ended")
            self._read = read + more

    def fileno(self) -> int:
        """What the system calls it."""
        return self._socket.fileno()

    def rest(self, seconds: float) -> bytes:
        """What else the other side sent before it was gone, as it came."""
        parts = [self._read]
        try:
            self._socket.settimeout(seconds)
            while parts[-1] or len(parts) == 1:
                parts.append(self._socket.recv(_MOST))
        except OSError:
            pass
        return b"".join(parts)

    def hang_up(self) -> None:
        """From any thread: what is sent or received here or there fails from now on."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # it is gone already
            pass

    def close(self) -> None:
        """Ends it; the other side is told by a ConnectionError."""
        self.hang_up()
        self._socket.close()
