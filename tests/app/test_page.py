"""Web pages: their content, and the values and pictures of a browser that opens them."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from PySide6.QtGui import QImage

from armature import engine
from armature.app import cli
from armature.app.page.page_arrays import FINE, series
from armature.app.page.page_content import content, motion_of_recording, motion_of_trajectory
from armature.app.page.page_file import page_text, write_page
from armature.app.plots.recorded_signals import available, panes
from armature.engine.notebook import page_frame
from tests import chromium

browser_needed = pytest.mark.skipif(chromium.PROGRAM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    tab = chromium.Chromium(tmp_path_factory.mktemp("chromium"))
    yield tab
    tab.close()


@pytest.fixture(scope="module")
def panda():
    return engine.load_robot("panda")


@pytest.fixture(scope="module")
def recording(panda):
    return engine.simulate(panda, panda.configurations["home"], None, 2.0, 1e-2)


@pytest.fixture(scope="module")
def page(panda, recording, tmp_path_factory):
    """A page with a recording, whose texts are hostile."""
    path = tmp_path_factory.mktemp("page") / "fall.html"
    motion = motion_of_recording(recording, panda, panes(recording, available(recording)))
    write_page(path, "</title><script>x()</script>", "{data} & more", content(panda, motion.q[0], motion, None, "</script><b>"))
    return path


def pixels(picture: bytes) -> np.ndarray:
    image = QImage.fromData(picture).convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint32).copy()


def quantum(column: np.ndarray) -> float:
    return float(np.ptp(column)) / (2**FINE - 2)


def test_a_page_loads_nothing_and_allows_only_its_own_code(page):
    text = page.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search(r"\b(src|href)=|url\(|https?://|@import", text)
    assert "<script>x()" not in text and text.count("</script>") == 2
    assert len(text) < 2_000_000


def test_the_script_of_a_page_is_small(page):
    script = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.S)[0]
    assert len(script.encode()) < 120_000


@pytest.mark.timeout(240)
def test_an_hour_of_an_arm_takes_at_most_30_megabytes(panda):
    t = np.linspace(0, 3600, 360_001)
    q = np.sin(t[:, None] * np.arange(1, 8) / 3)
    columns = [series(np.cos(k * t[:, None] + q)) for k in range(5)]
    assert sum(len(json.dumps(one)) for one in (series(t[:, None], 30), series(q), *columns)) < 30_000_000


@pytest.mark.parametrize("name", ["double_pendulum", "scara", "stanford"])
def test_every_kind_of_arm_makes_a_page(name):
    robot = engine.load_robot(name)
    text = page_text(name, "", content(robot, robot.configurations["home"]))
    assert f"<title>{name}</title>" in text and len(text) < 1_000_000


def test_the_command_writes_pages_and_refuses_in_one_line(tmp_path, capsys):
    out, session, log = (tmp_path / name for name in ("arm.html", "desk.armature", "log.csv"))
    session.write_bytes(b"")
    log.write_text("time,a,b\n0,1,2\n1,2,3\n")
    assert cli.main(["page", "scara", str(out), "--cell", "table", "--notes", "Tuesday"]) == 0
    assert "Tuesday" in out.read_text(encoding="utf-8")
    for arguments, why in (
        (["scara", str(out)], "already exists"),
        (["scara", str(tmp_path / "arm.pdf")], "must be saved as .html"),
        (["scara", str(tmp_path / "no" / "arm.html")], "does not exist"),
        (["scara", str(out), "--overwrite", "--signals", "q"], "--signals is only valid for a recording"),
        (["no_such_arm", str(out), "--overwrite"], "no_such_arm"),
        ([str(session), str(out), "--overwrite"], "is a session; open it"),
        ([str(log), str(out), "--overwrite"], "convert a log with armature import\n"),
    ):
        capsys.readouterr()
        assert cli.main(["page", *arguments]) == 2
        said = capsys.readouterr().err
        assert why in said and said.count("\n") == 1
    assert "Tuesday" in out.read_text(encoding="utf-8")


@browser_needed
def test_values_and_poses_in_the_browser_are_those_of_the_recording(browser, page, panda, recording):
    browser.open(page)
    assert browser.run("document.title") == "</title><script>x()</script>"
    times = browser.run("Array.from(page.times)")
    assert np.allclose(times, recording.t, atol=2 * float(np.ptp(recording.t)) / 2**30)
    titles = [pane["title"] for pane in browser.run("page.data.recording.panes.map(({title}) => ({title}))")]
    torque = np.array(browser.run(f"page.columns[{titles.index('Motor torque')}].map((column) => Array.from(column))")).T
    assert np.abs(torque - recording.tau).max() <= max(quantum(column) for column in recording.tau.T)
    browser.run("page.setTime(1.234)")
    q = np.array([np.interp(1.234, recording.t, column) for column in recording.q.T])
    assert np.allclose(browser.run("page.q"), q, atol=max(quantum(column) for column in recording.q.T))
    X = np.array(browser.run("Array.from(product(page.poses()[page.data.arm.tool.body + 1], page.data.arm.tool.X_BF))"))
    assert np.allclose(X.reshape(4, 4), engine.frame_pose(panda, np.array(browser.run("page.q"))), atol=1e-12)
    assert browser.complaints == [] and browser.requests == [page.resolve().as_uri()]


@browser_needed
def test_a_page_plays_and_its_picture_changes(browser, page):
    browser.open(page)
    before = browser.picture()
    browser.run("document.getElementById('speed').value = '20'")
    browser.run("document.getElementById('speed').dispatchEvent(new Event('change'))")
    browser.click("#play")
    chromium.wait_until(lambda: browser.run("!page.isPlaying && page.time === page.times[page.times.length - 1]"))
    assert browser.picture() != before
    assert browser.complaints == []


@browser_needed
def test_the_camera_follows_mouse_and_keys(browser, page):
    browser.open(page)

    def drag(shift=0, wheel=0):
        state = "[page.camera.azimuth, page.camera.distance, ...page.camera.target]"
        before = browser.run(state)
        for kind, x in (("mousePressed", 300), ("mouseMoved", 340), ("mouseReleased", 340)):
            browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=300, button="left", buttons=1, modifiers=shift)
        if wheel:
            browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=300, y=300, deltaX=0, deltaY=wheel)
        return np.abs(np.array(browser.run(state)) - before) > 1e-6

    assert drag().tolist() == [True, False, False, False, False]  # orbit
    assert drag(shift=8)[[0, 1]].tolist() == [False, False] and drag(shift=8)[2:].any()  # pan
    assert drag(wheel=100)[1]
    browser.press("r")
    assert browser.run("page.camera.azimuth") == -0.9
    browser.press("ArrowLeft")
    assert browser.run("page.camera.azimuth") != -0.9
    browser.press("f")
    browser.picture()
    assert browser.run("page.showsFrames && document.getElementById('names').children.length > 7")
    theme = browser.run("page.theme")
    browser.press("t")
    assert browser.run("page.theme") != theme
    browser.press(" ")
    assert browser.run("page.isPlaying")


@browser_needed
def test_a_page_moves_in_the_frame_of_a_notebook(browser, page, tmp_path):
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><html data-ready>{page_frame(page.read_text('utf-8'))}", "utf-8")
    browser.open(path)
    chromium.wait_until(lambda: len(np.unique(pixels(browser.picture()))) > 1000)  # the arm is drawn
    before = browser.picture()
    for kind, x in (("mousePressed", 300), ("mouseMoved", 380), ("mouseReleased", 380)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=300, button="left", buttons=1)
    chromium.wait_until(lambda: browser.picture() != before)
    assert browser.complaints == [] and {url.partition(":")[0] for url in browser.requests} <= {"file", "about"}


@browser_needed
def test_a_page_is_read_aloud(browser, page):
    """Every control has a name, and a slider has its value with its unit."""
    browser.open(page)
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    controls = [
        (node["role"]["value"], node["name"]["value"], node.get("value", {}).get("value", ""))
        for node in nodes
        if node["role"]["value"] in ("button", "slider", "combobox", "image", "img") and not node["ignored"]
    ]
    assert len(controls) > 15 and all(name for _, name, _ in controls)
    texts = browser.run("[...document.querySelectorAll('.joint input')].map((one) => one.getAttribute('aria-valuetext'))")
    assert len(texts) == 7 and all(text.endswith("°") for text in texts)


@browser_needed
def test_a_contact_is_marked_and_named(browser, tmp_path):
    robot = engine.load_robot("puma560")
    motion = motion_of_trajectory(robot, engine.load_trajectory("pick_place_puma560", robot))
    data = content(robot, motion.q[0], motion, engine.load_cell("table"))
    (contact,) = data["recording"]["contacts"]
    assert contact["pair"] == "link6 and table"
    middle = np.array([np.interp((contact["first"] + contact["last"]) / 2, motion.t, column) for column in motion.q.T])
    assert engine.collision(robot, middle, engine.load_cell("table")).colliding
    write_page(tmp_path / "pick.html", "Pick", "", data)
    browser.open(tmp_path / "pick.html")
    assert browser.run("document.querySelectorAll('#marks i').length") == 1
    browser.run("document.querySelector('.times button').click()")
    browser.picture()
    assert browser.run("document.getElementById('contact').textContent") == "Contact: link6 and table"
    assert browser.run("page.time") == pytest.approx(contact["first"])
    assert browser.run("page.payloadOutput.textContent") == ""
    browser.run("page.setTime(12)")
    assert browser.run("page.payloadOutput.textContent") == "Payload: 0.851 kg"


@browser_needed
def test_sliders_move_the_arm_and_a_singular_pose_is_explained(browser, tmp_path):
    robot, path = engine.load_robot("puma560"), tmp_path / "arm.html"
    write_page(path, "Puma", "", content(robot, robot.configurations["home"]))
    browser.open(path)
    rng = np.random.default_rng(0)
    for q in rng.uniform(-2, 2, (5, robot.n)):
        browser.run(f"page.setJoints({q.tolist()})")
        condition = browser.run("conditionNumber(page.data.arm, page.q, page.poses())")
        assert condition == pytest.approx(engine.singularity(robot, q).condition, rel=1e-6)
    straight = robot.configurations["zero"].tolist()
    browser.run(f"page.setJoints({straight})")
    browser.picture()
    assert browser.run("document.getElementById('warning').textContent").startswith("Singular: ")
    first = browser.run("document.querySelector('.joint output').textContent")
    browser.run(
        "(() => { const s = document.querySelector('.joint input'); s.value = 1; s.dispatchEvent(new Event('input')); })()"
    )
    assert browser.run("document.querySelector('.joint output').textContent") != first
    assert browser.complaints == []


@browser_needed
def test_an_arm_with_prismatic_joints_moves_in_the_browser(browser, tmp_path):
    robot = next(r for r in map(engine.load_robot, engine.shipped_robots()) if r.prismatic.any())
    path = tmp_path / "arm.html"
    write_page(path, "arm", "", content(robot, robot.configurations["home"]))
    browser.open(path)
    q = robot.configurations["home"] + 0.01
    browser.run(f"page.setJoints({q.tolist()})")
    X = np.array(browser.run("Array.from(product(page.poses()[page.data.arm.tool.body + 1], page.data.arm.tool.X_BF))"))
    assert np.allclose(X.reshape(4, 4), engine.frame_pose(robot, q), atol=1e-12)


def test_a_trajectory_becomes_a_motion_with_its_torques():
    robot = engine.load_robot("puma560")
    trajectory = engine.load_trajectory("pick_place_puma560", robot)
    motion = motion_of_trajectory(robot, trajectory)
    assert motion.t[-1] == trajectory.duration and [pane.title for pane in motion.panes][-1] == "Motor torque"
    singular = content(robot, motion.q[0], motion)["recording"]["singular"]
    assert any("Wrist" in stretch["text"] for stretch in singular)


def test_the_torque_of_a_trajectory_includes_its_payload():
    robot = engine.load_robot("puma560")
    trajectory = engine.load_trajectory("pick_place_puma560", robot)
    motion = motion_of_trajectory(robot, trajectory)
    for row in range(0, len(motion.t), 150):
        payload = trajectory.payload_at(motion.t[row])
        arm = robot if payload is None else payload.held_by(robot)
        expected = engine.rnea(arm, *(pane.values[row] for pane in motion.panes[:3]))
        assert np.allclose(motion.panes[3].values[row], expected, atol=1e-9)
    assert {bool(arm.changes) for _, arm in motion.arms} == {False, True}


def test_a_recording_shows_its_payload_and_its_contacts(panda):
    robot = panda.with_payload(2.0, (0, 0, 0.05))
    recording = engine.simulate(robot, robot.configurations["home"], None, 1.0, 1e-3)
    motion = motion_of_recording(recording, panda, [])
    data = content(panda, motion.q[0], motion)
    (held,) = data["payload"]["held"]
    assert (held["mass"], held["cubes"][0]["com"]) == (2.0, [0, 0, 0.05]) and data["payload"]["solids"]["faces"]
    assert data["recording"]["contacts"][0]["pair"] == "link1 and link7"
    assert content(panda, motion.q[0])["payload"]["solids"] is None
