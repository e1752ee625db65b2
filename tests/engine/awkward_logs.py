"""Logs of a motion that is known, written as awkwardly as real ones are."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from armature import engine

RATE, SECONDS = 125.0, 4.0
AMPLITUDES = np.array([0.5, 0.3, 0.4, 0.2, 0.6, 0.7])
SPEEDS = 2 * np.pi * np.array([0.5, 0.7, 0.3, 1.0, 0.9, 0.4])
ROS = ("elbow_joint", "shoulder_lift_joint", "shoulder_pan_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint")
ROS_ORDER = (2, 1, 0, 3, 4, 5)  # which joint each of them is


def motion(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, qd, qdd of the UR5 at times t."""
    at = np.outer(t, SPEEDS)
    home = engine.load_robot("ur5").configurations["home"]
    return home + AMPLITUDES * np.sin(at), AMPLITUDES * SPEEDS * np.cos(at), -AMPLITUDES * SPEEDS**2 * np.sin(at)


def times() -> np.ndarray:
    return np.arange(round(RATE * SECONDS)) / RATE


def torque(t: np.ndarray) -> np.ndarray:
    return engine.rnea(engine.load_robot("ur5"), *motion(t))


def german(path: Path) -> Path:
    """Semicolons, decimal commas, a head of three lines, degrees, Excel's own first letters, speeds missing."""
    t = times()
    rows = [";".join(f"{x:.7f}".replace(".", ",") for x in (tt, *row)) for tt, row in zip(t, np.degrees(motion(t)[0]))]
    head = "Protokoll UR5 vom 3.4.2026;;;;;;\r\nZeit;A1;A2;A3;A4;A5;A6\r\ns;Grad;Grad;Grad;Grad;Grad;Grad\r\n"
    path.write_bytes(("\ufeff" + head + "\r\n".join(rows) + "\r\n").encode())
    return path


def irregular(path: Path) -> Path:
    """UR's own names beside targets and tool values, spaces between, times that jitter, counts of ms, currents."""
    t = times() + np.random.default_rng(3).uniform(-0.002, 0.002, len(times()))
    t[0] = 0.0
    q, qd, _ = motion(t)
    names = [
        f"{kind}_{k}" for kind in ("target_q", "actual_q", "actual_qd", "actual_current", "actual_TCP_pose") for k in range(6)
    ]
    tau = torque(t) / 11.0
    lines = [" ".join(["timestamp_ms", *names])]
    for k in range(len(t)):
        lines.append(" ".join(f"{x:.9g}" for x in (1e3 * (t[k] + 5), *(q[k] + 0.5), *q[k], *qd[k], *tau[k], *range(6))))
    path.write_text("\n".join(lines) + "\n")
    return path


def gappy(path: Path) -> Path:
    """Fields left empty, one short gap and a long one, a column of words, comments between rows, a row that is cut off."""
    t, lines = times(), ["# logger 2.1", "time,mode,q1,q2,q3,q4,q5,q6"]
    for k, (tt, q) in enumerate(zip(t, motion(t)[0])):
        if 100 <= k < 105 or 200 <= k < 260:
            continue
        fields = [f"{x:.9f}" for x in q]
        if k % 50 == 7:
            fields[3] = ("", "NaN", "n/a")[k // 50 % 3]
        lines.append(f"{tt:.6f},RUNNING,{','.join(fields)}")
        if k == 150:
            lines.append("# marker set")
    path.write_text("\n".join(lines) + "\n3.99,RUNNI")
    return path


def restarted(path: Path) -> Path:
    """Microseconds in a counter of 32 bits that runs over, tabs, shuffled columns of some joints, rows twice and out of order."""
    t = times()
    q = motion(t)[0]
    counts = (np.round(t * 1e6) + 2**32 - 1_500_000) % 2**32
    rows = [f"{q[k, 4]:.9f}\t{int(counts[k])}\t{q[k, 1]:.9f}\t{q[k, 0]:.9f}\t{q[k, 3]:.9f}" for k in range(len(t))]
    rows[40], rows[41] = rows[41], rows[40]
    rows.insert(300, rows[299])
    path.write_text("joint_5\tt\tjoint_2\tjoint_1\tjoint_4\n" + "\n".join(rows) + "\n")
    return path


def stamped(path: Path) -> Path:
    """Dates with times of day, in quotes, quantities in two lines of names, degrees per second, angles that go over ±180°."""
    t = times()
    q, qd, _ = motion(t)
    q[:, 5] = (q[:, 5] + 3.0 + np.pi) % (2 * np.pi) - np.pi
    start = datetime(2026, 3, 4, 12, 59, 58, tzinfo=UTC).timestamp()
    lines = [
        "," + "position" + "," * 6 + "velocity" + "," * 5,
        "stamp," + ",".join(f"J{k + 1}" for k in range(6)) * 1 + "," + ",".join(f"J{k + 1}" for k in range(6)),
    ]
    for tt, a, b in zip(t, np.degrees(q), np.degrees(qd)):
        when = datetime.fromtimestamp(start + tt, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")
        lines.append(f'"{when}Z",' + ",".join(f'"{x:.8f}"' for x in (*a, *b)))
    path.write_text("\n".join(lines) + "\n")
    return path


def bare(path: Path) -> Path:
    """No names at all, text of another code page above, radians."""
    t = times()
    text = "% aufgezeichnet für Prüfung\n" + "\n".join(
        f"{tt:.6f} " + " ".join(f"{x:.9f}" for x in q) for tt, q in zip(t, motion(t)[0])
    )
    path.write_bytes(text.encode("cp1252") + b"\n")
    return path


def matlab(path: Path) -> Path:
    """`t` and `q` as MATLAB and the Robotics Toolbox save them, within a structure, in single precision columns of time."""
    from scipy.io import savemat

    t = times()
    savemat(path, {"out": {"t": t[None], "q": motion(t)[0].T, "note": "toolbox"}}, do_compression=True)
    return path


def joint_state(stamp: float, names, position, velocity=(), effort=(), order: str = "<") -> bytes:
    """One `sensor_msgs/JointState` as CDR, put together field by field."""
    data = bytearray()

    def align(size: int):
        data.extend(b"\0" * (-len(data) % size))

    def text(word: str):
        align(4)
        data.extend(struct.pack(f"{order}I", len(word.encode()) + 1) + word.encode() + b"\0")

    ns = round(stamp * 1e9)
    data += struct.pack(f"{order}iI", ns // 10**9, ns % 10**9)
    text("base_link")
    align(4)
    data += struct.pack(f"{order}I", len(names))
    for name in names:
        text(name)
    for values in (position, velocity, effort):
        align(4)
        data += struct.pack(f"{order}I", len(values))
        if len(values):
            align(8)
            data += struct.pack(f"{order}{len(values)}d", *values)
    return (b"\0\1\0\0" if order == "<" else b"\0\0\0\0") + bytes(data)


def bag(path: Path, order: str = "<") -> Path:
    """A ROS 2 bag: joints in the alphabet's order, the gripper's in messages of their own, efforts only now and then."""
    from mcap.writer import CompressionType, Writer

    t = times()
    q, qd, _ = motion(t)
    tau = torque(t)
    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType.ZSTD, chunk_size=20_000)
        writer.start("ros2", "awkward_logs")
        schema = writer.register_schema("sensor_msgs/msg/JointState", "ros2msg", b"std_msgs/Header header\nstring[] name\n")
        other = writer.register_schema("std_msgs/msg/String", "ros2msg", b"string data\n")
        channel = writer.register_channel("/joint_states", "cdr", schema)
        words = writer.register_channel("/rosout", "cdr", other)
        for k, tt in enumerate(t):
            at = 1_770_000_000.0 + tt
            kept = list(ROS_ORDER)
            message = joint_state(at, ROS, q[k, kept], qd[k, kept], tau[k, kept] if k % 2 else (), order)
            writer.add_message(channel, round(at * 1e9), message, round(at * 1e9))
            if k % 10 == 0:
                writer.add_message(words, round(at * 1e9), b"\0\1\0\0\3\0\0\0hi\0", round(at * 1e9))
                gripper = joint_state(at + 0.001, ["finger_joint"], [0.3], order=order)
                writer.add_message(channel, round(at * 1e9), gripper, round(at * 1e9))
        writer.finish()
    return path


def toolbox(path: Path) -> Path:
    """Arrays of NumPy, joints by rows, times in ns, and one of Python objects, which to load would run code."""
    t = times()
    q, qd, _ = motion(t)
    np.savez(
        path,
        time_ns=np.round(t * 1e9).astype(np.int64) + 1_770_000_000_000_000_000,
        positions=q.T,
        dq=qd,
        tau=torque(t),
        who=np.array([{}]),
    )
    return path


ALL = {
    "german.csv": german,
    "irregular.txt": irregular,
    "gappy.csv": gappy,
    "restarted.tsv": restarted,
    "stamped.csv": stamped,
    "bare.dat": bare,
    "matlab.mat": matlab,
    "bag.mcap": bag,
    "toolbox.npz": toolbox,
}
