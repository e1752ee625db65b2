"""Tab *Jacobian*: of the tool and of each link, its columns in the view, what moves by it, its angles and its determinant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature import engine
from armature.app.equations.formula_pane import FormulaPane
from armature.app.equations.formula_work import FormulaWork
from armature.app.equations.jacobian.jacobian_maker import JacobianMaker, Made, Wanted
from armature.app.equations.jacobian.jacobian_page import JacobianPage
from armature.app.equations.jacobian.jacobian_point import (
    JacobianPoint,
    link_point,
    motion_words,
    no_entry,
    tool_point,
)
from armature.app.equations.symbolic.symbol_maker import compared, style_of, written, zoomed
from armature.app.equations.symbols import numbers_of
from armature.app.equations.tab import EquationTab, divided
from armature.app.joints.pose_glide import PoseGlide
from armature.app.scene.overlays.dh_walk import subscript
from armature.app.scene.overlays.kinematics.column_item import Columns
from armature.app.state.posed_motion import PosedMotion
from armature.app.state.shown_motion import shown_motion
from armature.app.widgets.on_screen import on_screen

if TYPE_CHECKING:
    from armature.app.state.slices import Steps
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine.model.robot import Robot


class JacobianTab(EquationTab):
    """While it is seen the columns of a motion are chained in the view; the one under the cursor is drawn, its joint lit."""

    title = "Jacobian"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self.page, self.pane = JacobianPage(bench.preferences.units), FormulaPane("jacobian", significance=False)
        self.point: JacobianPoint | None = None
        self._robot: Robot | None = None
        self._place, self._joint, self._zoom, self._colour, self._seen = (0, 0), -1, 1.0, "", False
        self._made: Made | None = None
        self._shown: tuple = ()
        self._drawn: tuple = ()
        self._maker = JacobianMaker()
        self._work = FormulaWork("jacobian", bench.parent)

    def making(self) -> Steps:
        """The formula, and the page above it."""
        self.column.addWidget(divided(self.page, self.pane, 240))
        yield
        yield from self.page.making()

    def connect_bench(self) -> None:
        """Wire page, formula and their threads."""
        self.glide = PoseGlide(self.bench)
        page = self.page
        page.chosen.connect(self._on_chosen)
        page.entry_clicked.connect(lambda i, j: self._choose((i, j)))
        page.column_hovered.connect(self._hover)
        page.rates.zoomed.connect(self._on_zoom)
        page.det.go_requested.connect(lambda q: self.glide.go_to(q, "zero of det J"))
        self.bench.preferences.units_changed.connect(self._on_units)
        self.pane.copy_chosen.connect(self._on_copy)
        self._work.connect(self._on_made, self.pane.show_text, self.pane.head.setText)

    def set_robot(self, robot: Robot) -> None:
        """Another arm: the Jacobian of its tool."""
        self.leave()
        self._work.forget()
        self._made = None
        self._robot = robot
        self.page.set_robot(robot)
        self.page.det.show_unmade()
        self.pane.show_text("Deriving…")
        self._place = 0, 0
        self._on_chosen()

    def follow(self) -> None:
        """The numbers now, and the formula if it is not there yet."""
        robot, point, bench = self._robot, self.point, self.bench
        if robot is None or point is None:
            return
        if not self._seen:
            self._seen = True
            bench.clock.tick.connect(self._draw)
        self._want(robot, point)
        q, motion = np.asarray(bench.document.q), self._motion(robot)
        if len(q) != robot.n or len(motion.qd) != robot.n:
            return
        shown = (*q, *motion.qd, *motion.qdd, self._made, point, self.page.kind)
        if shown != self._shown or any(self.pane.view.lit) or self.page.rates.lit.any():
            self._shown = shown
            self._show_numbers(robot, point, q, motion)

    def leave(self) -> None:
        """Neither drawn nor lit any more."""
        self._hover(-1)
        if self._seen:
            self._seen, self._drawn = False, ()
            self.bench.clock.tick.disconnect(self._draw)
            self.bench.scene.show_columns(None)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of tables and formula."""
        self._colour = tokens.text
        self.page.set_theme(tokens)
        self.pane.set_theme(tokens)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self.leave()
        self._work.stop()

    def _motion(self, robot: Robot) -> PosedMotion:
        return shown_motion(self.bench.simulation, self.bench.replay, robot.n)

    def _on_chosen(self) -> None:
        """Another point, or the other kind."""
        if self._robot is None:
            return
        link = self.page.chosen_link
        self.point = link_point(self._robot, link, self.page.at_mass) if link else tool_point(self._robot)
        self.page.show_point(self.point)
        self._choose(self._place)

    def _on_units(self, units) -> None:
        self.page.set_units(units)
        self._shown = ()

    def _on_zoom(self, steps: float) -> None:
        self._zoom = zoomed(self._zoom, steps)

    def _choose(self, place: tuple[int, int]) -> None:
        self._place = place
        self.page.table.set_active(place)
        self._shown = ()
        if self._made is not None and self._made.wanted.place == place and self._made.wanted.point is self.point:
            self._show_formula(self._made)

    def _hover(self, joint: int) -> None:
        if joint != self._joint:
            self._joint = joint
            self.bench.scene.highlight_joint(joint)

    def _want(self, robot: Robot, point: JacobianPoint) -> None:
        style = style_of(self, self._zoom, self.pane.view.zoom, self._colour)
        wanted = Wanted(robot, point, self._place, style)
        self._work.want(wanted, lambda: self._maker.make(wanted))

    def _on_made(self, made: Made) -> None:
        self._made = made
        self.page.rates.show_symbols(made.rates, self._zoom)
        self.page.det.show_made(made)
        self._show_formula(made)

    def _show_formula(self, made: Made) -> None:
        why_not = no_entry(self.page.kind, made.wanted.place[0]) or made.why_not
        if why_not:
            self.pane.show_text(why_not)
            return
        self.pane.view.show_formula(made.symbols, made.pieces)
        if made.formula is not None:
            self.pane.show_letters(made.formula.letters, made.wanted.robot)
        i, j = made.wanted.place
        self.pane.matrix, self.pane.entry = "J", f"J{subscript(i + 1)}{subscript(j + 1)}"
        self.pane.copy.setEnabled(True)

    def _show_numbers(self, robot: Robot, point: JacobianPoint, q: np.ndarray, motion: PosedMotion) -> None:
        """Tables, det J, and the formula's symbols."""
        page, made = self.page, self._made
        page.show_state(point, q, motion.qd, motion.qdd)
        page.show_source(motion_words(self._source(), not (motion.qd.any() or motion.qdd.any())))
        latest = self.bench.readouts.latest
        if latest is not None and len(latest.q) == robot.n:
            page.show_freedom(robot, latest.report.freedom)
        if made is None or made.wanted.robot is not robot:
            return
        page.det.show_values(q, None if latest is None else latest.determinant)
        if made.formula is None or made.wanted.point is not point or no_entry(page.kind, made.wanted.place[0]):
            return
        self.pane.view.show_numbers(numbers_of(made.symbols, q, 0 * q, 0 * q))
        value = float(made.formula[made.wanted.place].evaluate(q))
        exact = float(engine.jacobian(point.robot, q)[made.wanted.place])
        self.pane.head.setText(f"{self.pane.entry} = {compared(value, exact)}")

    def _source(self) -> str:
        bench = self.bench
        if bench.simulation.motion is not None and not bench.simulation.running:
            return "the motion entered in Joints"
        return "the recording" if bench.replay.replaying else "the simulation"

    def _draw(self) -> None:
        """The columns of this frame's motion, and the one under the cursor."""
        robot, point = self._robot, self.point
        if not on_screen(self):
            self.leave()
            return
        if robot is None or point is None or point.frame.body < 0:
            return
        qd = self._motion(robot).qd
        drawn = (*qd, self._joint, point)
        if len(qd) == robot.n and drawn != self._drawn:
            self._drawn = drawn
            seen = self._joint >= 0 or qd.any()
            place = point.frame.X_BF[:3, 3]
            self.bench.scene.show_columns(Columns(point.frame.body, place, self._joint, np.array(qd)) if seen else None)

    def _on_copy(self, form: str, whole: bool) -> None:
        made = self._made
        if made is not None and (formula := made.formula) is not None:
            self._work.copy(lambda: written(formula, made.wanted.place, form, whole))
