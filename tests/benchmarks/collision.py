"""Distances and verdicts of a Panda among objects, against Pinocchio's loops over coal, on one thread each."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from armature import engine
from armature.engine import batching
from armature.engine.contact.contact_model import ContactGroup, ContactModel
from armature.engine.contact.shapes import Shape
from tests.benchmarks.row import Row, seconds
from tests.benchmarks.timing import race

POSES = 100_000
LOOP = 2_000  # poses of the peer's loops, which are scaled up
NEAREST, VERDICT, ONE = 3.0, 1.5, 2e-3
OBJECTS = (
    ContactGroup("table", -1, (Shape("box", (1.2, 1.2, 0.1), np.eye(4)),)),
    ContactGroup("wall", -1, (Shape("box", (0.05, 2.0, 2.0)),)),
    ContactGroup("ball", -1, (Shape("sphere", (0.12,)),)),
    ContactGroup("post", -1, (Shape("cylinder", (0.05, 1.0)),)),
    ContactGroup("pipe", -1, (Shape("capsule", (0.04, 0.6)),)),
)
PLACES = ((0.0, 0.0, -0.06), (-0.6, 0.0, 0.8), (0.5, 0.3, 0.5), (0.4, -0.45, 0.5), (0.2, 0.5, 0.8))
