"""Settings: kept, checked, and never a reason not to start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from armature.app.state.preferences import Preferences
from armature.app.state.settings import MemoryStore, QtStore, Settings, decode, encode, with_camera


def test_round_trip():
    poses = {"scara": {"low": [0.5, 1.0, 0.1]}}
    settings = replace(Settings(), theme="dark", recent_files=("a.toml",), poses=poses).with_overlay("grid", False)
    assert decode(encode(settings)) == settings


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '{"schema": 99}',
        encode(Settings()).replace('"system"', '"pink"'),
        encode(Settings()).replace("17.0", '"many"'),
        encode(Settings()).replace("17.0", "NaN"),
        encode(Settings()).replace('"recent_files": []', '"recent_files": 5'),
        encode(Settings()).replace('"recent_files": []', '"recent_files": [5]'),
        encode(Settings()).replace('"grid": true', '"grid": "yes"'),
        encode(Settings()).replace('"orthographic": false', '"orthographic": 3'),
        *(
            encode(Settings()).replace('"cameras": {}', f'"cameras": {bad}')
            for bad in ("[]", '{"a": 5}', '{"a": [1]}', '{"a": [1, NaN]}', '{"a": [0, 91]}', '{"a": [0, 0, 0, 0, 0, -1]}')
        ),
        *(encode(Settings()).replace('"poses": {}', f'"poses": {bad}') for bad in ("[]", '{"a": [1]}', '{"a": {"b": [NaN]}}')),
        "[" * 100_000,
    ],
)
def test_damaged_settings_fall_back_to_defaults_with_a_message(text):
    settings, message = MemoryStore(text).load()
    assert settings == Settings()
    assert message and "\n" not in message


def test_unknown_fields_are_ignored():
    text = encode(Settings()).replace("{", '{"later": 1, ', 1)
    assert decode(text) == Settings()


def test_a_perspective_that_was_renamed_is_found_with_its_layout():
    text = encode(replace(Settings(), perspective="trajectory", layouts={"trajectory": "AAAA", "all": "BBBB"}))
    assert decode(text.replace('"trajectory"', '"motion"')) == decode(text)
    for damaged in ('"perspective": ["motion"]', '"perspective": "notion"'):
        with pytest.raises(ValueError, match="perspective"):
            decode(text.replace('"perspective": "trajectory"', damaged))


def test_qt_store_keeps_and_survives_garbage(tmp_path):
    path = tmp_path / "settings.ini"
    QtStore(str(path)).save(replace(Settings(), theme="dark"))
    assert QtStore(str(path)).load()[0].theme == "dark"
    path.write_bytes(b"\x00\xff[not an ini\n=\n\x01")
    settings, _ = QtStore(str(path)).load()
    assert settings == Settings()


def test_a_full_disk_costs_what_would_be_kept_and_is_told_once(qapp, tiny_disk):
    path = tiny_disk / "settings.ini"
    preferences, told = Preferences(QtStore(str(path))), []
    preferences.not_kept.connect(told.append)
    preferences.set(theme="dark")
    assert not told and path.stat().st_size
    with suppress(OSError):
        (tiny_disk / "filled").write_bytes(bytes(256 << 10))
    for unit in ("rad", "deg"):
        preferences.set(angle_unit=unit, recording_folder="x" * 8192)
    assert told == [f"Settings could not be saved: {path} cannot be written."]
    assert preferences.now.theme == "dark" and preferences.now.recording_folder
    assert Preferences(QtStore(str(path))).now.theme == "dark"


def test_recent_files_are_unique_newest_first_and_few():
    settings = Settings()
    for name in [*"abcdefghij", "c"]:
        settings = settings.with_recent(name)
    assert settings.recent_files[0] == "c" and len(settings.recent_files) == 8 and len(set(settings.recent_files)) == 8


def test_cameras_of_the_last_robots_are_kept():
    cameras = {}
    for k in range(100):
        cameras = with_camera(cameras, f"robot{k % 70}", (float(k), 0.0))
    settings = decode(encode(replace(Settings(), cameras=cameras)))
    assert len(settings.cameras) == 40 and settings.cameras["robot29"] == (99.0, 0.0) and "robot50" not in settings.cameras


def test_a_damaged_store_still_opens_the_window(qapp, make_window):
    from armature.app.application import build_window

    window = build_window("scara", MemoryStore("{broken"))
    assert "settings are invalid" in window.banner.text.text()
    window.close()
    window.deleteLater()
