"""The sources of joint states in a bag: topics, and publishers of one topic whose values contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from armature.engine.recording.measured.joint_states import FIELDS, Layout
from armature.engine.recording.measured.log_table import ARRIVAL

_CONTRADICT = 3.0  # times the way of two publishers, each by itself, is the way of their values in turn
_TURNS = 0.2  # of the fewer messages: so often two publishers that are at work together take turns
_LEAST = 1e-6  # rad or m: less is no way
_SET = 0.3  # of the steps of stamps that are set go forward
_MOST = 20  # orders of names
_SHARE = 0.2  # of the messages: so many are zeros, and not zeros, where a second publisher sends zeros


class BagSource:
    """Messages whose values belong together, as parts of layouts; `logged` are arrivals in ns of the topic."""

    def __init__(self, topic: str, logged: Sequence[int]) -> None:
        self.topic, self.prefix = topic, ""
        self._logged = logged
        self._parts: list[tuple[Layout, np.ndarray, np.ndarray]] = []

    def __len__(self) -> int:
        return sum(len(which) for _, which, _ in self._parts)

    def add(self, layout: Layout, which: np.ndarray, positions: np.ndarray) -> None:
        """Add messages with their positions `(k, joints)`."""
        self._parts.append((layout, which, positions))

    def take(self, other: BagSource) -> None:
        """Add all messages of another source."""
        self._parts += other._parts

    def series(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Places in the topic `(k,)`, growing, and positions `(k,)` of a joint there."""
        parts = [part for part in self._parts if name in part[0].names]
        places = np.concatenate([np.array(layout.rows)[which] for layout, which, _ in parts])
        values = np.concatenate([positions[:, layout.names.index(name)] for layout, _, positions in parts])
        order = np.argsort(places, kind="stable")
        known = np.isfinite(values[order])
        return places[order][known], values[order][known]

    @property
    def joints(self) -> dict[str, None]:
        """Names of the joints."""
        return dict.fromkeys(name for layout, _, _ in self._parts for name in layout.names)

    @property
    def way(self) -> float:
        """Sum of the ranges that the joints go through."""
        return sum(float(np.ptp(values)) for name in self.joints if len(values := self.series(name)[1]))

    @property
    def is_zero(self) -> bool:
        """Whether all positions are 0."""
        return not any(self.series(name)[1].any() for name in self.joints)

    def contradicts(self, other: BagSource) -> bool:
        """Whether both send at the same time, and a joint would leap to and fro between their values."""
        merged = apart = 0.0
        for name in self.joints.keys() & other.joints.keys():
            (mine, a), (others, b) = self.series(name), other.series(name)
            if not len(a) or not len(b):
                continue
            order = np.argsort(np.concatenate([mine, others]), kind="stable")
            turns = np.count_nonzero(np.diff(order < len(mine)))
            if turns < max(2, _TURNS * min(len(a), len(b))):
                continue
            merged += float(np.abs(np.diff(np.concatenate([a, b])[order])).sum())
            apart += float(np.abs(np.diff(a)).sum() + np.abs(np.diff(b)).sum())
        return merged > _CONTRADICT * apart + _LEAST

    def columns(self) -> dict[str, np.ndarray]:
        """Columns by name: time of the message, time of its arrival, and those of the joints."""
        places = np.sort(np.concatenate([np.array(layout.rows)[which] for layout, which, _ in self._parts]))
        stamps = np.full(len(places), np.nan)
        logged = np.array(self._logged, np.float64)[places] * 1e-9
        found: dict[str, np.ndarray] = {f"{self.prefix}stamp": stamps, f"{self.prefix}{ARRIVAL}": logged}
        for layout, which, _ in self._parts:
            at = np.searchsorted(places, np.array(layout.rows)[which])
            stamps[at] = layout.stamps()[which]
            for k, quantity in enumerate(FIELDS):
                values = layout.values(k)[which]
                for joint, name in enumerate(layout.names):
                    if np.isfinite(values[:, joint]).any():
                        column = found.setdefault(f"{self.prefix}{name}.{quantity}", np.full(len(places), np.nan))
                        column[at] = values[:, joint]
        if not (np.diff(stamps) > 0).mean() > _SET:  # never set
            del found[f"{self.prefix}stamp"]
        return found


def sources_of(topics: Mapping[str, tuple[Sequence[Layout], Sequence[int]]]) -> tuple[list[BagSource], tuple[str, ...]]:
    """Return the sources of all topics, those that move first, and a line on each that is not used unless it is chosen."""
    found, doubts = list[BagSource](), list[str]()
    for topic, (layouts, logged) in topics.items():
        mine = sorted(_publishers(topic, layouts, logged), key=lambda source: not source.way)
        for k, source in enumerate(mine, start=1):
            source.prefix = f"{topic} " * (len(topics) > 1)
            if k > 1:
                source.prefix = f"{source.prefix}publisher {k} "
                what = f"publisher {k} of {topic} contradicts the other{'s' if len(mine) > 2 else ''}"
                doubts.append(_unused(source, what))
        found += mine
    moving = {name for source in found if source.way for name in source.joints}
    for source in found:
        if "publisher" not in source.prefix and not source.way and moving & source.joints.keys():
            source.prefix = f"constant {source.prefix}"
            doubts.append(_unused(source, f"{source.topic} never moves"))
    return sorted(found, key=lambda source: (not source.way, "publisher" in source.prefix)), tuple(doubts)


def _unused(source: BagSource, why: str) -> str:
    values = ", all zero," if source.is_zero else ", all equal," if not source.way else ""
    return f"{why}; its {len(source):,} messages{values} are not used (columns “{source.prefix.strip()} …”)"


def _publishers(topic: str, layouts: Sequence[Layout], logged: Sequence[int]) -> list[BagSource]:
    """Return the sources of one topic: messages that do not contradict each other are one, whatever order their names have."""
    alike: dict[tuple[bool, int, bytes], BagSource] = {}
    for layout in layouts:
        positions = layout.values(0)
        for which, zeros in _by_content(layout, positions):
            source = alike.setdefault((zeros, layout.channel, layout.fixed), BagSource(topic, logged))
            source.add(layout, which, positions[which])
    found = list[BagSource]()
    for one in alike.values():
        others = found if len(alike) <= _MOST else found[:1]  # names in any order, message by message: one publisher
        fitting = next((source for source in others if len(alike) > _MOST or not source.contradicts(one)), None)
        if fitting is None:
            found.append(one)
        else:
            fitting.take(one)
    return found


def _by_content(layout: Layout, positions: np.ndarray) -> list[tuple[np.ndarray, bool]]:
    """Return which messages belong together, and whether they are zeros that come with the same stamps as others."""
    everything = np.arange(len(layout.rows))
    zero = (positions == 0).all(axis=1)
    if not layout.names or not _SHARE <= zero.mean() <= 1 - _SHARE:
        return [(everything, False)]
    stamps = layout.stamps()
    if np.isin(stamps[zero], stamps[~zero]).mean() < 0.5:
        return [(everything, False)]
    return [(everything[~zero], False), (everything[zero], True)]
