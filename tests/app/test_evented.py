"""Evented models and the binder, without a window."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np
import pytest

from armature.app.state.evented import Binder, Model, function_of, on


@dataclass(eq=False)
class Waypoints(Model):
    """Points of a path and the selected one."""

    points: tuple = ()
    selected: int = -1
    speed: float = 0.5
    scale: np.ndarray = field(default_factory=lambda: np.ones(3))
    _computed: int = 0

    @function_of("points")
    def count(self) -> int:
        self._computed += 1
        return len(self.points)

    @function_of("count", "selected")
    def last_selected(self) -> bool:
        return self.selected == self.count - 1


class Turns:
    """An event loop of which each turn is taken by hand."""

    def __init__(self):
        self.posted, self.binder = [], Binder(lambda function: self.posted.append(function))

    def turn(self) -> None:
        posted, self.posted[:] = list(self.posted), []
        for function in posted:
            function()


@pytest.fixture
def turns():
    return Turns()


def test_nothing_is_called_after_the_end(turns):
    model, seen = Waypoints(), []
    turns.binder.bind(lambda: seen.append(model.selected), on(model, "selected"))
    turns.binder.stop()
    model.selected = 3
    turns.turn()
    turns.binder.flush()
    assert seen == [-1]


def test_a_view_is_called_once_per_turn_with_the_newest_values(turns):
    model, seen = Waypoints(), []
    turns.binder.bind(lambda: seen.append((model.count, model.selected)), on(model, "count", "selected"))
    assert seen == [(0, -1)]
    model.points, model.selected, model.points = (1,), 0, (1, 2)
    assert len(seen) == 1 and len(turns.posted) == 1
    turns.turn()
    assert seen[1:] == [(2, 0)]
    turns.turn()
    assert len(seen) == 2


def test_a_view_depends_on_its_fields_only(turns):
    model, seen = Waypoints(), []
    turns.binder.bind(lambda: seen.append(model.last_selected), on(model, "last_selected"))
    model.scale = np.zeros(3)
    assert not turns.posted
    model.points = (1, 2)  # by way of `count`
    turns.turn()
    model.selected = 1
    turns.turn()
    assert seen == [True, False, True]


def test_equal_values_are_no_change_and_objects_are_compared_by_identity():
    model, names = Waypoints(points=(np.zeros(2),)), []
    model.listen(lambda *changed: names.extend(changed))
    model.speed = float("0.5")  # another object
    model.points = model.points
    assert not names
    model.points = (np.zeros(2),)  # arrays are not compared
    model.selected = 3
    assert names == ["points", "count", "last_selected", "selected", "last_selected"]


def test_a_derived_value_is_computed_once_until_its_sources_change():
    model = Waypoints(points=(1, 2))
    assert (model.count, model.count, model.last_selected) == (2, 2, False) and model._computed == 1
    model.selected = 1
    assert model.last_selected and model._computed == 1
    model.points = ()
    assert model._computed == 1 and model.count == 0 and model._computed == 2


def test_flush_calls_views_at_once_in_order_and_until_nothing_is_due(turns):
    model, calls = Waypoints(), []

    def clamp() -> None:
        calls.append("clamp")
        model.selected = min(model.selected, model.count - 1)

    turns.binder.bind(lambda: calls.append(f"show {model.selected}"), on(model, "selected"))
    turns.binder.bind(clamp, on(model, "points"))
    calls.clear()
    model.selected, model.points = 5, (1, 2, 3)
    turns.binder.flush()
    assert calls == ["show 5", "clamp", "show 2"]
    turns.turn()
    assert len(calls) == 3


def test_a_view_that_fails_is_reported_and_keeps_none_of_the_others(turns, monkeypatch):
    model, seen, reported = Waypoints(), [], []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _: reported.append(str(error)))

    def fail() -> None:
        if model.selected >= 0:
            raise ValueError("no such row")

    turns.binder.bind(fail, on(model, "selected"))
    turns.binder.bind(lambda: seen.append(model.selected), on(model, "selected"))
    model.selected = 4
    turns.turn()
    assert reported == ["no such row"] and seen == [-1, 4]


def test_views_that_change_each_other_for_ever_are_reported(turns, monkeypatch):
    model, reported = Waypoints(), []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, _: reported.append(str(error)))
    turns.binder.bind(lambda: setattr(model, "selected", -model.selected - 1), on(model, "selected"))
    model.selected = 7
    turns.turn()
    assert len(reported) == 1 and "change the fields that they depend on" in reported[0]


def test_a_stopped_binder_calls_nothing(turns):
    model, seen = Waypoints(), []
    turns.binder.bind(lambda: seen.append(model.selected), on(model, "selected"))
    model.selected = 1
    turns.binder.stop()
    turns.turn()
    model.selected = 2
    turns.turn()
    assert seen == [-1]


def test_names_that_do_not_exist_are_refused():
    model = Waypoints()
    with pytest.raises(AttributeError, match="Waypoints has no field 'selection'"):
        on(model, "selection")
    with pytest.raises(AttributeError, match="Waypoints has no field 'selection'"):
        model.selection = 1
    with pytest.raises(AttributeError, match="no field 'count'"):
        model.count = 1
    with pytest.raises(TypeError, match=r"Wrong\.double is derived from 'number', which is not a field"):

        class Wrong(Model):
            value: int = 0

            @function_of("number")
            def double(self) -> int:
                return 2 * self.value
