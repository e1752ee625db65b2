"""Bags with more than one source of joint states: values by name, and distinct constant streams."""

from __future__ import annotations

import numpy as np
import pytest
from mcap.writer import CompressionType, Writer

from armature import engine
from armature.engine import RecordingError, import_log
from tests.engine.awkward_logs import ROS, ROS_ORDER, joint_state, motion

T = np.arange(300) * 0.01
Q = motion(T)[0]
IN_ORDER = [ROS[ROS_ORDER.index(k)] for k in range(6)]
BEGAN = 1_780_000_000.0


def bag(path, *streams, schema="sensor_msgs/msg/JointState"):
    """Write messages `(topic, stamp, arrival, names, position)` in the order of their arrival; one channel per topic."""
    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType.NONE)
        writer.start("ros2", "test")
        kind = writer.register_schema(schema, "ros2msg", b"std_msgs/Header header\nstring[] name\n")
        messages = sorted((message for stream in streams for message in stream), key=lambda message: message[2])
        channels = {topic: writer.register_channel(topic, "cdr", kind) for topic in dict.fromkeys(m[0] for m in messages)}
        for topic, stamp, arrival, names, position in messages:
            data = joint_state(stamp, names, position)
            writer.add_message(channels[topic], round((BEGAN + arrival) * 1e9), data, round((BEGAN + arrival) * 1e9))
        writer.finish()
    return path


def stream(topic="/joint_states", names=ROS, values=Q, late=0.0, stamps=BEGAN + T):
    """Return messages of the UR5's joints, whose values `(N, 6)` are in the arm's order."""
    order = [IN_ORDER.index(name) for name in names]
    return [(topic, s, t + late, names, list(q[order])) for s, t, q in zip(stamps, T, values, strict=True)]


def check(recording):
    assert len(recording) == 300 and recording.metadata["imported"]["sampling"]["rate"] == 100.0
    assert np.abs(recording.q - Q).max() < 1e-9


def warned(recording):
    return " | ".join(recording.metadata["imported"]["warnings"])


@pytest.mark.parametrize("names", [ROS, IN_ORDER], ids=["as the others", "in another order"])
@pytest.mark.parametrize("late", [1e-6, -1e-6, 4e-3])
def test_a_publisher_of_zeros_is_told_apart_and_dropped(names, late, tmp_path):
    """Two publishers of one topic with the same stamps made a period of 1 µs."""
    recording = import_log(bag(tmp_path / "a.mcap", stream(), stream(names=names, values=0 * Q, late=late)), "ur5")
    check(recording)
    assert "publisher 2 of /joint_states disagrees with the other; its 300 messages, all zero, are not used" in warned(recording)


def test_what_was_dropped_can_be_taken(tmp_path):
    log = bag(tmp_path / "a.mcap", stream(), stream(names=IN_ORDER, values=0 * Q, late=1e-6))
    names = [f"publisher 2 {name}.position" for name in IN_ORDER]
    recording = import_log(log, "ur5", {"t": "publisher 2 stamp", "q": names})
    assert len(recording) == 300 and not recording.q.any()


def test_two_publishers_that_move_differently_are_told_apart(tmp_path):
    recording = import_log(bag(tmp_path / "a.mcap", stream(), stream(names=IN_ORDER, values=Q + 1.0, late=1e-6)), "ur5")
    check(recording)
    assert "publisher 2 of /joint_states disagrees with the other; its 300 messages are not used" in warned(recording)


def test_publishers_that_agree_are_one(tmp_path):
    log = bag(tmp_path / "a.mcap", stream(), stream(names=IN_ORDER, late=1e-6))
    recording = import_log(log, "ur5")
    check(recording)
    assert not warned(recording) and any("300 rows with the same time as the row before" in line for line in recording.remarks)


def test_a_publisher_that_began_anew_with_another_order_is_the_same(tmp_path):
    log = bag(tmp_path / "a.mcap", stream()[:150], stream(names=IN_ORDER)[150:])
    recording = import_log(log, "ur5")
    check(recording)
    assert not warned(recording)


def test_names_in_another_order_in_every_message_are_one_publisher(tmp_path):
    rng = np.random.default_rng(2)
    mixed = [stream(names=list(rng.permutation(ROS)))[k] for k in range(300)]
    check(import_log(bag(tmp_path / "a.mcap", mixed), "ur5"))


@pytest.mark.parametrize("moving", ["/a/joint_states", "/z/joint_states_of_the_arm"])
def test_of_two_topics_the_one_that_moves_counts(moving, tmp_path):
    log = bag(tmp_path / "a.mcap", stream(moving, late=1e-6), stream("/joint_states", values=0 * Q))
    recording = import_log(log, "ur5")
    check(recording)
    assert "/joint_states never moves; its 300 messages, all zero, are not used" in warned(recording)


def test_messages_that_arrive_out_of_order_are_put_in_the_order_of_their_stamps(tmp_path):
    messages = stream()
    for k in (20, 120, 121):
        messages[k] = (*messages[k][:2], messages[k][2] + 0.025, *messages[k][3:])
    recording = import_log(bag(tmp_path / "a.mcap", messages), "ur5")
    check(recording)
    assert any("out of order" in line for line in recording.remarks)


def test_stamps_of_another_clock_count_before_the_arrival_and_unset_ones_do_not(tmp_path):
    jitter = np.abs(np.random.default_rng(1).normal(0, 3e-3, 300))
    messages = [(*m[:2], m[2] + late, *m[3:]) for m, late in zip(stream(stamps=BEGAN + T - 5000.0), jitter, strict=True)]
    recording = import_log(bag(tmp_path / "a.mcap", messages), "ur5")
    assert recording.metadata["imported"]["columns"]["time"] == "stamp" and np.abs(recording.q - Q).max() < 1e-9
    unset = import_log(bag(tmp_path / "b.mcap", stream(stamps=0 * T)), "ur5")
    assert unset.metadata["imported"]["columns"]["time"] == "log time"
    check(unset)


def test_a_bag_without_joint_states_says_what_it_has(tmp_path):
    log = bag(tmp_path / "a.mcap", stream("/tf"), schema="tf2_msgs/msg/TFMessage")
    with pytest.raises(RecordingError, match=r"without messages of sensor_msgs/msg/JointState in CDR; it has /tf \(tf2_msgs"):
        import_log(log, engine.load_robot("ur5"))


def test_a_cancelled_import_of_a_bag_is_neither_a_fault_nor_a_shorter_log(tmp_path):
    log = bag(tmp_path / "a.mcap", stream())
    with pytest.raises(engine.Cancelled):
        import_log(log, "ur5", cancelled=lambda: True)
