"""Plots: round numbers on the axes, thinning that loses no peak, work only for what can be seen, and every signal."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAction, QColor, QCursor, QImage, QMouseEvent, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QVBoxLayout, QWidget

from armature.app.plots import plot_bands
from armature.app.plots.axis_ticks import ticks
from armature.app.plots.curves import Curves, thinned
from armature.app.plots.feature import PlotsFeature
from armature.app.plots.plot_bands import Band
from armature.app.plots.plot_view import PlotView
from armature.app.style.colour_tokens import LIGHT
from armature.app.widgets.on_screen import on_screen
from tests.app.double_click import double_click

RED, GREEN = "#ff0000", "#00ff00"


@pytest.mark.parametrize(
    ("low", "high", "most", "values", "decimals"),
    [
        (0.0, 10.0, 5, [0, 2, 4, 6, 8, 10], 0),
        (-1.06, 1.06, 4, [-1, 0, 1], 0),
        (0.0, 0.3, 3, [0, 0.1, 0.2, 0.3], 1),
        (97.2, 107.2, 2, [100, 105], 0),
        (-1e-3, 1e-3, 2, [-1e-3, 0, 1e-3], 3),
    ],
)
def test_ticks_are_round(low, high, most, values, decimals):
    found, digits = ticks(low, high, most)
    assert found == pytest.approx(values)
    assert digits == decimals


def test_thinning_keeps_every_peak_and_does_nothing_to_few_samples():
    t = np.linspace(0, 10, 4000)
    values = np.column_stack([np.sin(40 * t), np.zeros_like(t)])
    values[1234, 1] = 7.0
    thin_t, thin = thinned(t, values, 0.1)
    assert len(thin_t) == len(thin) <= 2 * 101
    assert thin.max(axis=0) == pytest.approx(values.max(axis=0))
    assert thin.min(axis=0) == pytest.approx(values.min(axis=0))
    assert (np.diff(thin_t) >= 0).all()
    few_t, few = thinned(t[:50], values[:50], 0.001)
    assert np.array_equal(few_t, t[:50]) and np.array_equal(few, values[:50])
    assert len(thinned(t[:0], values[:0], 0.1)[0]) == 0


@pytest.fixture
def plot(qtbot):
    """Ten seconds of a sine and a cosine, 500 samples a second."""
    view = PlotView("q", "Position  [rad]")
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.set_theme(LIGHT)
    t = np.linspace(0, 10, 5001)
    view.show_curves([Curves(t, np.column_stack([np.sin(t), np.cos(t)]), ("sine", "cosine"), (RED, GREEN))], 10.0)
    with qtbot.waitExposed(view):
        view.show()
    return view


def colours(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def has(image: QImage, red: bool) -> bool:
    rgb = colours(image)
    strong, weak = (0, 1) if red else (1, 0)
    return bool(((rgb[..., strong] > 150) & (rgb[..., weak] < 110) & (rgb[..., 2] < 110)).sum() > 50)


def at(view: PlotView, x: float, y: float) -> QPoint:
    paper = view._paper()
    return QPointF(paper.x(x), paper.y(y)).toPoint()


def turn_wheel(view: PlotView, place: QPoint, notches: int, modifier=Qt.KeyboardModifier.NoModifier):
    where, none = QPointF(place), Qt.MouseButton.NoButton
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(where, QPointF(view.mapToGlobal(place)), QPoint(), QPoint(0, 120 * notches), none, modifier, phase, False)
    QApplication.sendEvent(view, event)


def move(view: PlotView, place: QPoint, button=Qt.MouseButton.NoButton):
    where, no = QPointF(place), Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(QEvent.Type.MouseMove, where, QPointF(view.mapToGlobal(place)), Qt.MouseButton.NoButton, button, no)
    QApplication.sendEvent(view, event)


def test_a_plot_draws_every_curve_it_is_given(plot):
    assert has(plot.grab().toImage(), red=True) and has(plot.grab().toImage(), red=False)
    plot.show_curves([Curves(plot.t, plot.values[:, :1], ("sine",), (RED,))], 10.0)
    assert has(plot.grab().toImage(), red=True) and not has(plot.grab().toImage(), red=False)


def test_the_wheel_zooms_about_the_mouse_and_a_double_click_follows_again(plot):
    place = at(plot, 4.0, 0.0)
    turn_wheel(plot, place, 3)
    start, end, low, high = plot.view
    assert end - start == pytest.approx(10 / 1.2**3, rel=1e-6)
    assert plot._paper().value_at(QPointF(place))[0] == pytest.approx(4.0, abs=0.05)
    turn_wheel(plot, place, 2, Qt.KeyboardModifier.ControlModifier)
    assert plot.view[3] - plot.view[2] == pytest.approx((high - low) / 1.2**2)
    assert plot.view[:2] == (start, end)
    t = np.linspace(0, 12, 6001)
    plot.show_curves([Curves(t, np.column_stack([t, t]), ("sine", "cosine"), (RED, GREEN))], 10.0)
    assert plot.view[:2] == (start, end)  # new samples do not move what a person chose
    double_click(plot, Qt.MouseButton.LeftButton, pos=place)
    assert plot.view[:2] == (2.0, 12.0)


def test_zooming_out_ends_where_nothing_is_left_to_show(plot):
    place = at(plot, 2.0, 0.0)
    turn_wheel(plot, place, 1)
    turn_wheel(plot, place, -6)
    assert plot.view[:2] == (0.0, 10.0)
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_Right)  # moved by hand, it may show what comes after
    QTest.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.view[:2] == (0.0, 10.0)
    plot.show_curves([Curves(plot.t + 15.0, plot.values, ("sine", "cosine"), (RED, GREEN))], 5.0, "", (3.0, 25.0))
    turn_wheel(plot, place, -20)
    assert plot.view[:2] == (3.0, 25.0)  # older samples, too


def test_on_a_page_that_scrolls_the_wheel_zooms_only_with_the_focus(plot, qtbot):
    page, column, bottom = QScrollArea(), QWidget(), QLabel()
    page.setWidgetResizable(True)
    layout = QVBoxLayout(column)
    plot.setFixedHeight(200)
    bottom.setFixedHeight(900)
    layout.addWidget(plot)
    layout.addWidget(bottom)
    page.setWidget(column)
    page.resize(400, 300)
    qtbot.addWidget(page)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    page.setFocus()
    place = plot.mapTo(page, at(plot, 4.0, 0.0))
    QTest.wheelEvent(page.windowHandle(), QPointF(place), QPoint(0, -360))
    assert plot.view[:2] == (0.0, 10.0) and page.verticalScrollBar().value() > 0
    page.verticalScrollBar().setValue(0)
    low, high = plot.view[2:]
    turn_wheel(plot, at(plot, 4.0, 0.0), 1, Qt.KeyboardModifier.ControlModifier)
    assert plot.view[3] - plot.view[2] == pytest.approx((high - low) / 1.2)
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at(plot, 4.0, 0.0))
    turn_wheel(plot, at(plot, 4.0, 0.0), 1)
    assert plot.view[1] - plot.view[0] == pytest.approx(10 / 1.2)
    plot.setParent(None)  # its own fixture closes it


def test_dragging_and_keys_move_the_range(plot):
    first, *others = [at(plot, x, 0.0) for x in (6.0, 5.0, 4.0)]
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=first)
    for place in others:
        move(plot, place, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=others[-1])
    assert plot.view[0] == pytest.approx(2.0, abs=0.1) and plot.view[1] == pytest.approx(12.0, abs=0.1)
    before = plot.view
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.view[0] == pytest.approx(before[0] - 1.0)
    QTest.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.view[1] - plot.view[0] == pytest.approx(10 / 1.2)
    QTest.keyClick(plot, Qt.Key.Key_Home)
    assert plot.view[:2] == (0.0, 10.0)


def test_the_mouse_reads_off_all_curves(plot):
    plot.hovered.connect(plot.read_at)
    move(plot, at(plot, 3.0, 0.0))
    (_, _, sine), (_, _, cosine) = plot.reading()
    x = plot._read_at
    assert x == pytest.approx(3.0, abs=0.05)
    assert float(sine.split()[1].replace("−", "-")) == pytest.approx(np.sin(x), abs=3e-3)
    assert float(cosine.split()[1].replace("−", "-")) == pytest.approx(np.cos(x), abs=3e-3)


def test_names_of_curves_stand_above_them_however_narrow_the_plot(plot):
    plot.legend = True
    plot.show_curves([Curves(plot.t, plot.values, ("kinetic energy", "potential energy"), (RED, GREEN), 1, source="a.csv")], 10.0)
    for width, rows in ((500, 1), (150, 2)):
        plot.resize(width, 200)
        paper, line = plot._paper(), plot.fontMetrics().height()
        assert len(paper._rows) == rows and paper.frame.top() > rows * line
        assert [entry[1:] for row in paper._rows for _, entry in row] == [(0, "kinetic energy"), (0, "potential energy")]
    assert paper.frame.bottom() < 200
    plot.show_curves([Curves(plot.t, plot.values, names, (RED, GREEN)) for names in (("a", "b"), ("b", "c"))], 10.0)
    assert [entry for row in plot._paper()._rows for _, entry in row] == [(RED, 0, "a"), (GREEN, 0, "b"), (GREEN, 0, "c")]


def test_the_name_of_a_stretch_stands_where_the_stretch_is_seen(plot, monkeypatch):
    named = []
    monkeypatch.setattr(plot_bands, "_name", lambda painter, tokens, box, name: named.append((name, box)))
    plot.bands = Band("move", -10.0, 4.0), Band("grasp", 5.0, 5.04), Band("carry", 6.0, 30.0), Band("back", 30.0, 40.0)
    plot.grab()
    frame = plot._paper().frame
    assert [name for name, _ in named] == ["move", "carry"]
    assert all(frame.left() <= box.left() and box.right() <= frame.right() for _, box in named)


@pytest.mark.parametrize("end", [7.7, 0.97, 12.4, 100.0])
def test_numbers_below_the_axis_stand_clear_of_each_other_and_axes_of_nothing_are_not_drawn(plot, end):
    for width in range(150, 420, 15):
        plot.resize(width, 200)
        plot.show_curves([Curves(np.array([0.0, end]), np.ones((2, 1)), ("one",), (RED,))], end)
        paper = plot._paper()
        times, _, wide = paper._times(0.0, end)
        assert len(times) > 1 and paper.x(times[1]) - paper.x(times[0]) > wide + 4
    drawn = plot.grab().toImage()
    plot.show_curves([], 10.0)
    empty = colours(plot.grab().toImage())
    assert (empty == empty[0, 0]).all() and not (colours(drawn) == empty[0, 0]).all()


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.2e-5), (-3e-6, 2e-6), (1.0, 1.00001), (-9e4, 9e4), (0.0, 3e-11)])
def test_numbers_beside_the_axis_have_the_room_they_need(plot, low, high):
    plot.show_curves([Curves(np.array([0.0, 1.0]), np.array([[low], [high]]), ("one",), (RED,))], 1.0)
    paper, metrics = plot._paper(), plot.fontMetrics()
    widest = max(map(metrics.horizontalAdvance, paper._texts))
    assert len(set(paper._texts)) == len(paper._texts) > 1 and widest <= paper.frame.left() - 3
    assert paper.frame.width() > 0.6 * plot.width()


def test_the_lowest_number_beside_the_axis_stands_clear_of_those_below(plot):
    plot.show_curves([Curves(plot.t, np.zeros((len(plot.t), 1)), ("still",), (RED,))], 10.0)
    frame, zero = plot._paper().frame, plot.fontMetrics().horizontalAdvance("0")
    corner = colours(plot.grab().toImage())[round(frame.bottom()) + 2 :, : round(frame.left() - zero)]
    assert (corner == QColor(LIGHT.surface).getRgb()[:3]).all()


def test_what_stands_in_place_of_curves_is_in_the_middle(plot):
    plot.set_title("")
    plot.show_curves([], 1.0, "Run to see the plot")
    inked = np.flatnonzero((colours(plot.grab().toImage()) != QColor(LIGHT.surface).getRgb()[:3]).any(axis=(0, 2)))
    assert (inked[0] + inked[-1]) / 2 == pytest.approx(plot.width() / 2, abs=3)


@pytest.mark.parametrize(
    ("names", "size"), [(("q",), (1400, 900)), (("q", "qd", "tau", "energy"), (1400, 900)), (("q", "energy"), (1000, 640))]
)
def test_before_a_run_every_plot_says_in_its_middle_what_would_fill_it(make_window, wait_for, names, size):
    window = make_window(plots=names, size=size)
    window.docks.bring_up("plots")
    views = [pane.view for pane in window.plots.panes]
    wait_for(lambda: all(view.note == "Run to see the plot" for view in views))
    whole = window.plots.grab().toImage()
    for view in views:
        picture = colours(whole.copy(QRect(view.mapTo(window.plots, QPoint()), view.size())))
        down, along = np.nonzero((picture != QColor(LIGHT.surface).getRgb()[:3]).any(axis=2))
        assert (along.min() + along.max()) / 2 == pytest.approx(view.width() / 2, abs=3)
        assert (down.min() + down.max()) / 2 == pytest.approx(view.height() / 2, abs=view.fontMetrics().height() / 2)


def test_a_band_too_narrow_for_its_name_is_not_cut(plot):
    plot.bands = (Band("grasp", 4.0, 4.2, RED),)
    image, ground = plot.grab().toImage(), at(plot, 4.1, 0.3)
    top = QPoint(ground.x(), round(plot._paper().frame.top()) + 6)
    assert image.pixelColor(top) == image.pixelColor(ground) != QColor(LIGHT.surface)


def test_what_is_read_off_covers_no_curve(plot, wait_for):
    plot.hovered.connect(plot.read_at)
    QCursor.setPos(plot.mapToGlobal(at(plot, 3.0, 0.0)))
    wait_for(lambda: plot.underMouse())
    move(plot, at(plot, 3.0, 0.0))
    wait_for(lambda: plot._readout.isVisible())
    covered = QRect(plot.mapToGlobal(plot.rect().topLeft()), plot.size())
    assert not covered.intersects(plot._readout.geometry())
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=at(plot, 3.0, 0.0))
    assert not plot._readout.isVisible()
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=at(plot, 3.0, 0.0))


def test_curves_are_wider_in_files_than_on_the_screen(plot, tmp_path):
    t = np.linspace(0, 10, 50)
    plot.show_curves([Curves(t, np.ones((50, 1)), ("level",), (RED,))], 10.0)
    thick = {}
    for name, image in (("screen", plot.grab().toImage()), ("file", None)):
        if image is None:
            plot.save(tmp_path / "a.png")
            image = QImage(str(tmp_path / "a.png"))
        rgb = colours(image)
        column = rgb[rgb.shape[0] // 4 :, rgb.shape[1] // 2]  # below the names
        thick[name] = int(((column[:, 0] > 150) & (column[:, 1] < 180)).sum())
    assert thick["screen"] >= 1 and thick["file"] >= 3


def test_a_panel_behind_another_tab_costs_nothing_until_it_is_brought_up(window, wait_for):
    window.docks.bring_up("recording")
    wait_for(lambda: not on_screen(window.plots))
    window.actions_["run"].trigger()
    wait_for(lambda: len(window.plots._history) > 10)
    plot = window.plots.panes[0].view
    assert window.plots.isVisible() and len(plot.t) == 0
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    window.docks.bring_up("plots")
    wait_for(lambda: len(plot.t) > 10)


def choose(pane, name: str):
    action = pane.findChild(QAction, name)
    assert action.isEnabled()
    action.trigger()


@pytest.fixture
def run(window, wait_for):
    """The Puma after half a second of falling, its plots in front."""
    window.docks.bring_up("plots")
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest is not None and window.simulation.latest.t > 0.5)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running and not window.plots._stale)
    return window


def test_any_signal_can_be_added_is_drawn_and_remembered(run, find, wait_for, make_window):
    find(run, "plot_add").click()
    pane = run.plots.panes[-1]
    for signal in ("qdd", "tau.gravity", "tool", "sigma_min", "energy", "work", "phase"):
        choose(pane, f"plot_signal_{signal}")
        wait_for(lambda: not run.plots._stale)
        assert pane.view.curves and np.isfinite(pane.view.values).any(), signal
    assert np.array_equal(pane.view.values[-1], np.degrees(run.simulation.latest.qd))
    choose(pane, "plot_signal_tau.gravity")
    wait_for(lambda: not run.plots._stale)
    assert np.array_equal(pane.view.values[-1], run.simulation.latest.tau_terms["gravity"])
    assert run.preferences.now.plots == ("q", "qd", "tau", "energy", "tau.gravity")
    again = make_window(plots=run.preferences.now.plots)
    assert [pane.name for pane in again.plots.panes][-1] == "tau.gravity"
    choose(pane, "plot_remove")
    assert run.preferences.now.plots == ("q", "qd", "tau", "energy")


def test_without_a_desired_trajectory_the_error_says_so(run, wait_for):
    pane = run.plots.panes[0]
    choose(pane, "plot_mode_error")
    wait_for(lambda: not run.plots._stale)
    assert not pane.view.curves and "desired" in pane.view.note


def test_what_a_controller_wants_is_drawn_beside_what_is_and_as_the_error(run, wait_for):
    latest = run.simulation.latest
    for k in range(3):
        wanted = replace(latest, t=latest.t + 1 + k, q_desired=latest.q + 0.1, qd_desired=latest.qd, qdd_desired=latest.qdd)
        run.plots.append(wanted, 0.5)
    pane = run.plots.panes[0]
    choose(pane, "plot_mode_error")
    wait_for(lambda: not run.plots._stale)
    assert pane.view.values[-3:] == pytest.approx(np.full((3, run.document.robot.n), np.degrees(0.1)))
    assert not np.isfinite(pane.view.values[0]).any()  # before, nobody wanted anything
    choose(pane, "plot_mode_both")
    wait_for(lambda: not run.plots._stale)
    actual, desired = pane.view.curves
    assert actual.style != desired.style and desired.y[-1] - actual.y[-1] == pytest.approx(np.degrees(0.1))


def test_holding_the_plots_does_not_hold_the_run(run, find, wait_for):
    find(run, "plot_pause").click()
    wait_for(lambda: not run.plots._stale)
    held, t = len(run.plots.panes[0].view.t), run.simulation.latest.t
    run.actions_["run"].trigger()
    wait_for(lambda: run.simulation.latest.t > t + 0.4)
    assert len(run.plots.panes[0].view.t) == held
    run.actions_["pause"].trigger()
    find(run, "plot_pause").click()
    wait_for(lambda: len(run.plots.panes[0].view.t) > held)


def test_zooming_one_plot_zooms_all_in_time(run):
    first, second = run.plots.panes[0].view, run.plots.panes[1].view
    followed = second.view[:2]
    turn_wheel(first, at(first, *np.add(first.view[::2], 0.2)), 3)
    assert second.view[:2] == first.view[:2] != followed
    assert second.chosen


def test_a_chosen_range_can_be_seen_and_given_up(run, find):
    first, follow = run.plots.panes[0].view, find(run, "plot_follow")
    assert not follow.isEnabled()
    for upright in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
        followed = first.view
        QTest.keyClick(first, Qt.Key.Key_Plus, upright)
        assert follow.isEnabled() and first.view != followed
        follow.click()
        assert not follow.isEnabled() and first.view == followed


def test_a_plot_that_is_added_is_seen(run, find, wait_for):
    while find(run, "plot_add").isEnabled():
        find(run, "plot_add").click()
    wait_for(lambda: run.plots.panes[-1].visibleRegion().boundingRect().width() > 100)


def test_a_plot_is_saved_as_table_picture_and_drawing(run, tmp_path, wait_for):
    view, export = run.plots.panes[1].view, run.features[PlotsFeature].export
    for suffix in ("csv", "png", "svg"):
        export(view, str(tmp_path / f"speed.{suffix}"))
        wait_for(lambda suffix=suffix: (tmp_path / f"speed.{suffix}").exists())
    rows = list(csv.reader((tmp_path / "speed.csv").open(encoding="utf-8")))
    assert rows[0] == ["t", *run.document.robot.joint_names]
    assert np.array_equal(np.array(rows[1:], float), np.column_stack([view.t, view.values]))
    rgb = colours(QImage(str(tmp_path / "speed.png")))
    assert rgb.shape == (900, 1800, 3)
    tokens = run.bench.look.tokens
    for colour in tokens.series[1:3]:
        wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(rgb - wanted).max(axis=2) < 40).sum() > 100
    assert QSvgRenderer(str(tmp_path / "speed.svg")).isValid()
    text = (tmp_path / "speed.svg").read_text(encoding="utf-8")
    assert "polyline" in text and "Velocity" in text


def test_a_folder_that_is_gone_is_a_message(run, tmp_path, find, wait_for):
    for suffix in ("csv", "svg"):
        run.features[PlotsFeature].export(run.plots.panes[0].view, str(tmp_path / "none" / f"a.{suffix}"))
        wait_for(lambda: find(run, "banner").isVisible() and "does not exist" in find(run, "banner_text").text())
        assert find(run, "banner_text").text().startswith("The plot could not be saved: ")
        run.banner.hide()
