"""The player of walks that are made move by move."""

from __future__ import annotations

from armature.app.widgets.playing.step_player import StepPlayer


def test_whoever_presses_faster_than_a_move_lasts_gets_a_move_per_press():
    player = StepPlayer()
    player.set_moves((False,) * 10)
    for _ in range(4):
        player.step(1)
        for _ in range(3):
            player.advance(0.1)
    assert 3.0 < player.p < 4.0
    player.step(-1)  # turns round where it is
    assert 3.0 < player.p < 4.0
    while player.busy:
        player.advance(0.1)
    assert player.p == 3.0
    for _ in range(2):
        player.step(-1)
    assert player.p == 2.0
    for _ in range(20):
        player.step(1)
    assert player.p == 10.0
