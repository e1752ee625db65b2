"""What is told with every frame reaches all that listen, in their order, whatever one of them does."""

from __future__ import annotations

import sys

import pytest

from armature.app.state.notice import Notice


def test_all_are_told_in_their_order_as_often_as_they_were_connected():
    notice, told = Notice(), []
    notice.connect(lambda x: told.append(("first", x)))
    notice.connect(second := lambda x: told.append(("second", x)))
    notice.connect(second)
    notice.emit(1)
    notice.disconnect(second)
    notice.emit(2)
    assert told == [("first", 1), ("second", 1), ("second", 1), ("first", 2), ("second", 2)]
    with pytest.raises(ValueError):
        notice.disconnect(told.append)


def test_who_is_connected_or_disconnected_meanwhile_is_told_from_the_next_time_on():
    notice, told = Notice(), []

    def last():
        told.append("last")

    def once():
        told.append("once")
        notice.disconnect(once)
        notice.disconnect(last)
        notice.connect(lambda: told.append("new"))

    notice.connect(once)
    notice.connect(last)
    notice.emit()
    notice.emit()
    assert told == ["once", "last", "new"]


def test_a_listener_that_fails_is_reported_and_keeps_nobody_from_being_told(monkeypatch):
    notice, told, reported = Notice(), [], []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: reported.append(f"{kind.__name__}: {error}"))
    notice.connect(lambda: [].pop())
    notice.connect(lambda: told.append("told"))
    notice.emit()
    assert told == ["told"] and reported == ["IndexError: pop from empty list"]
