"""Requests to the zygote."""

from __future__ import annotations

import struct

FORK, WARM, END = b"F", b"W", b"E"
"""FORK a law process with two descriptors, answered by its number; WARM up for a robot; END one, answered by how it ended."""
NUMBER = struct.Struct("<q")
LONGEST = 1 << 17  # bytes of a request
