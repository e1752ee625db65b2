"""Drafts on the disk: saved whole, and never over another's work."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from armature import engine
from armature.engine.model.draft import draft_files
from armature.engine.model.draft.draft_files import FileChangedError
from armature.engine.model.draft.new_drafts import draft_from_text

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def saved(tmp_path) -> engine.RobotDraft:
    return engine.draft_of(engine.load_robot("puma560")).saved_as(tmp_path / "mine.toml")


def test_what_is_saved_is_read_again_to_the_byte(saved):
    edited = saved.with_value(("joints", 1, "a"), 0.5)
    assert edited.changed and not saved.changed
    again = edited.saved_as(saved.path)
    assert not again.changed and not again.changed_on_disk()
    assert saved.path.read_bytes() == edited.text.encode()
    assert engine.open_draft(saved.path).text == edited.text
    assert engine.load_robot(saved.path).file_hash == again.robot.file_hash == again.disk_hash
    assert again.robot.source == saved.path
    assert [file.name for file in saved.path.parent.iterdir()] == ["mine.toml"]
    assert edited.with_value(("joints", 1, "a"), saved.value(("joints", 1, "a"))).changed is False


@pytest.mark.skipif(sys.platform == "win32", reason="has no such rights")
def test_a_saved_file_keeps_its_rights(saved):
    saved.path.chmod(0o640)
    saved.with_value(("floor",), -1.0).saved_as(saved.path)
    assert saved.path.stat().st_mode & 0o777 == 0o640


def test_a_file_that_changed_meanwhile_is_never_overwritten_silently(saved):
    edited = saved.with_value(("joints", 1, "a"), 0.5)
    other = saved.text.replace("0.4318", "0.4319")
    saved.path.write_text(other, encoding="utf-8")
    assert edited.changed_on_disk()
    with pytest.raises(FileChangedError, match="the file has changed on disk since it was read; nothing was written") as caught:
        edited.saved_as(saved.path)
    assert caught.value.path == saved.path and isinstance(caught.value, engine.ModelError)
    assert saved.path.read_text("utf-8") == other
    assert edited.saved_as(saved.path, overwrite=True).changed_on_disk() is False
    assert saved.path.read_text("utf-8") == edited.text


def test_a_file_that_is_gone_is_told_and_written_again(saved):
    saved.path.unlink()
    assert saved.changed_on_disk()
    assert saved.saved_as(saved.path).changed_on_disk() is False


def test_another_file_is_overwritten_on_request_only(saved, tmp_path):
    other = tmp_path / "other.toml"
    other.write_text("something", encoding="utf-8")
    with pytest.raises(FileChangedError, match="the file already exists"):
        saved.saved_as(other)
    with pytest.raises(FileChangedError, match="the file already exists"):
        engine.empty_draft().saved_as(saved.path)
    assert other.read_text("utf-8") == "something"
    assert saved.saved_as(other, overwrite=True).path == other


def test_the_same_file_by_a_link_is_the_same(saved, tmp_path):
    link = tmp_path / "link.toml"
    link.symlink_to(saved.path)
    edited = engine.open_draft(link).with_value(("floor",), -1.0)
    edited.saved_as(link)
    assert link.is_symlink() and engine.load_robot(saved.path).floor == -1.0


def test_a_robot_that_ships_stays_as_it_is():
    draft = engine.draft_of(engine.load_robot("scara")).with_value(("floor",), -1.0)
    before = draft.path.read_bytes()
    for overwrite in (False, True):
        with pytest.raises(
            engine.ModelError, match="is a robot included with Armature and cannot be changed; save under another name"
        ):
            draft.saved_as(draft.path, overwrite)
    assert draft.path.read_bytes() == before


def test_a_disk_that_refuses_leaves_the_old_file_whole(saved, monkeypatch):
    edited = saved.with_value(("floor",), -1.0)
    before = saved.path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(draft_files.os, "fsync", full)
    with pytest.raises(engine.ModelError, match="cannot be written: No space left on device"):
        edited.saved_as(saved.path)
    assert saved.path.read_bytes() == before
    assert [file.name for file in saved.path.parent.iterdir()] == ["mine.toml"]
    for place, says in [(saved.path.with_suffix(".urdf"), "must be .toml"), (saved.path / "x.toml", "cannot be written")]:
        with pytest.raises(engine.ModelError, match=says):
            edited.saved_as(place)


def test_a_robot_whose_file_changed_since_it_was_opened_has_no_draft(saved):
    robot = engine.load_robot(saved.path)
    saved.path.write_text(saved.text + "# more\n", encoding="utf-8")
    with pytest.raises(FileChangedError, match="open it again"):
        engine.draft_of(robot)
    saved.path.unlink()
    assert engine.draft_of(robot).path is None  # written out anew: nothing else is left of it


def test_a_bad_file_is_refused_as_when_it_is_loaded(tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"name = '\xff'")
    for text in (None, "name = 'x'\nconvention = 'standard'\n[[joints]]\ntype = 'revolute'\na = 'x'\n"):
        if text is not None:
            bad.write_text(text, encoding="utf-8")
        with pytest.raises(engine.ModelError) as loaded:
            engine.load_robot(bad)
        with pytest.raises(engine.ModelError) as opened:
            engine.open_draft(bad)
        assert str(opened.value) == str(loaded.value)
    with pytest.raises(engine.ModelError, match="file not found"):
        engine.open_draft(tmp_path / "none.toml")


def test_a_recovered_text_that_is_no_robot_any_more_is_refused(tmp_path):
    with pytest.raises(engine.ModelError, match="joints: missing"):
        draft_from_text('name = "x"\nconvention = "standard"\n', tmp_path / "x.toml")
