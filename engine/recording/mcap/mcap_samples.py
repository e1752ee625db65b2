"""Rows of numbers from the JSON messages of `.mcap` samples; the other way round of `mcap_texts`."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec
import numpy as np

from armature.engine.recording.recording_columns import Layout


class _Joint(msgspec.Struct, gc=False):
    name: str
    position: float | None = None
    velocity: float | None = None
    acceleration: float | None = None
    effort: float | None = None


class _JointStates(msgspec.Struct, gc=False):
    joints: list[_Joint]


class _Vector(msgspec.Struct, gc=False):
    x: float | None
    y: float | None
    z: float | None


class _Quaternion(msgspec.Struct, gc=False):
    x: float | None
    y: float | None
    z: float | None
    w: float | None


class _Transform(msgspec.Struct, gc=False):
    child_frame_id: str
    translation: _Vector
    rotation: _Quaternion


class _FrameTransforms(msgspec.Struct, gc=False):
    transforms: list[_Transform]


class _Sample(msgspec.Struct, gc=False):
    t: float | None = None
    sigma_min: float | None = None
    kinetic: float | None = None
    potential: float | None = None
    row: list[str] | None = None


_KINDS = (_JointStates, _FrameTransforms, _Sample, _JointStates)
_MANY = tuple(msgspec.json.Decoder(list[kind]) for kind in _KINDS)  # type: ignore[valid-type]
_NOWHERE: list[float | None] = [None] * 7
Messages = tuple[bytes, ...]
"""Of one sample, on the topics of `SAMPLE_TOPICS` and, with what sensors say, `MEASURED`."""


class SampleRows:
    """Decodes the samples of one recording; what a message leaves out, or calls null, is NaN."""

    def __init__(self, joints: Sequence[str], tool: str, measured: bool = False):
        self._joints, self._tool, self._width = list(joints), tool, Layout(len(joints), measured).width

    def of(self, samples: Sequence[Messages], numbers: Sequence[int]) -> np.ndarray:
        """Rows `(len(samples), columns)`; raises ValueError telling which of `numbers` is no sample of these joints."""
        try:
            texts = [b"[" + b",".join(column) + b"]" for column in zip(*samples, strict=True)]
            decoded = [decoder.decode(text) for decoder, text in zip(_MANY, texts)]
            return np.array([self._row(*sample) for sample in zip(*decoded, strict=True)], dtype=float)
        except (msgspec.DecodeError, ValueError, TypeError):
            return np.array([self._one(*pair) for pair in zip(samples, numbers, strict=True)], dtype=float)

    def _one(self, sample: Messages, number: int) -> list[float]:
        """One row, however its numbers are written: older versions wrote infinities as ±1e999."""
        try:
            found = [msgspec.convert(json.loads(text), kind) for text, kind in zip(sample, _KINDS)]
            return [float("nan") if x is None else float(x) for x in self._row(*found)]
        except (msgspec.ValidationError, ValueError, TypeError, RecursionError):
            raise ValueError(f"the messages of sample {number + 1} do not match the joints of this recording") from None

    def _row(
        self, states: _JointStates, places: _FrameTransforms, rest: _Sample, told: _JointStates | None = None
    ) -> list[float | None]:
        joints, sensed = states.joints, [] if told is None else told.joints
        if any([joint.name for joint in each] != self._joints for each in (joints, sensed) if each or each is joints):
            raise ValueError("other joints")
        if rest.row is not None:
            if len(rest.row) != self._width:
                raise ValueError("a row of another length")
            return [float(x) for x in rest.row]
        return [
            rest.t,
            *[joint.position for joint in joints],
            *[joint.velocity for joint in joints],
            *[joint.acceleration for joint in joints],
            *[joint.effort for joint in joints],
            *self._pose(places),
            rest.sigma_min,
            rest.kinetic,
            rest.potential,
            *[joint.position for joint in sensed],
            *[joint.velocity for joint in sensed],
            *[joint.effort for joint in sensed],
        ]

    def _pose(self, places: _FrameTransforms) -> list[float | None]:
        for place in places.transforms:
            if place.child_frame_id == self._tool:
                p, r = place.translation, place.rotation
                return [p.x, p.y, p.z, r.w, r.x, r.y, r.z]
        return _NOWHERE
