"""The pacer against a clock that the test turns."""

import pytest

from armature.engine.simulation.run_loop import FRAME, SHARE, SLACK, Pacer


def drive(pacer: Pacer, seconds: float, tick: float, cost: float, wall: float = 0.0) -> tuple[int, list[int]]:
    """Steps taken in `seconds`, with a look at the clock every `tick` and `cost` seconds per step; all batches."""
    end, total, batches = wall + seconds, 0, []
    while wall < end:
        steps = pacer.due(wall)
        spent = steps * cost
        wall += max(spent, 0.0)
        pacer.done(wall, steps, spent)
        total += steps
        batches.append(steps)
        wall += tick
    return total, batches


def test_nothing_is_due_at_the_anchor_and_one_step_after_one_step():
    pacer = Pacer(0.001)
    pacer.start(100.0)
    assert pacer.due(100.0) == 0
    assert pacer.due(100.0009) == 0
    assert pacer.due(100.001) == 1


def test_steps_follow_the_wall_clock_without_drift():
    pacer = Pacer(0.001)
    pacer.start(5.0)
    total, _ = drive(pacer, 10.0, tick=0.0041, cost=1e-6, wall=5.0)
    assert total == pytest.approx(10_000, abs=10)
    assert pacer.factor == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("speed", [0.25, 2.0, 10.0])
def test_speed_multiplies_what_is_due(speed):
    pacer = Pacer(0.001, speed)
    pacer.start(0.0)
    total, _ = drive(pacer, 4.0, tick=0.004, cost=1e-6)
    assert total == pytest.approx(4000 * speed, rel=0.01)
    assert pacer.factor == pytest.approx(speed, rel=0.02)


def test_slow_motion_slower_than_the_slack_still_moves():
    pacer = Pacer(0.01, speed=0.02)  # one step every half second
    pacer.start(0.0)
    total, _ = drive(pacer, 10.0, tick=0.004, cost=1e-6)
    assert total == pytest.approx(20, abs=1)


def test_a_batch_is_capped_at_70_percent_of_a_frame():
    pacer, cost = Pacer(0.0001), 0.001  # ten times slower than real time
    pacer.start(0.0)
    _, batches = drive(pacer, 3.0, tick=0.004, cost=cost)
    assert max(batches) == int(SHARE * FRAME / cost)
    assert 0.02 < pacer.factor < 0.11


def test_the_first_batch_is_small_while_the_cost_is_unknown():
    pacer = Pacer(0.0001)
    pacer.start(0.0)
    assert 0 < pacer.due(0.09) < 20


def test_one_slow_batch_does_not_throttle_the_next_ones():
    pacer = Pacer(0.001)
    pacer.start(0.0)
    drive(pacer, 1.0, tick=0.004, cost=1e-6)
    before = pacer.batch_limit
    pacer.done(1.01, 1, 0.5)
    assert pacer.batch_limit == before


def test_more_than_the_slack_behind_is_forgotten_not_chased():
    pacer = Pacer(0.001)
    pacer.start(0.0)
    drive(pacer, 1.0, tick=0.004, cost=1e-6)
    assert pacer.due(1.0 + SLACK + 0.5) == 0
    assert pacer.due(1.0 + SLACK + 0.505) == 5


def test_a_shorter_delay_is_made_up():
    pacer = Pacer(0.001)
    pacer.start(0.0)
    drive(pacer, 1.0, tick=0.004, cost=1e-6)
    assert pacer.due(1.08) >= 76


def test_the_factor_forgets_what_is_older_than_its_window():
    pacer = Pacer(0.001)
    pacer.start(0.0)
    for k in range(1, 121):  # two seconds that simulated nothing, then in real time
        pacer.done(2.0 + k * 0.01, 10, 1e-4)
    assert pacer.factor == pytest.approx(1.0, rel=0.02)


def test_a_change_of_speed_owes_nothing_for_the_past():
    pacer = Pacer(0.001)
    pacer.start(0.0)
    pacer.retime(0.05, speed=4.0)
    assert pacer.due(0.05) == 0
    assert pacer.due(0.051) == 4


def test_a_clock_that_was_set_back_does_not_stop_the_simulation():
    pacer = Pacer(0.001)
    pacer.start(1000.0)
    drive(pacer, 1.0, tick=0.004, cost=1e-6, wall=1000.0)
    assert pacer.due(10.0) == 0
    assert pacer.due(10.01) > 0
