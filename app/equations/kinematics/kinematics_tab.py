"""Tab *Kinematics*: the matrix of each joint, their product frame by frame, and a point carried through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from armature.app.equations.formula_pane import FormulaPane
from armature.app.equations.formula_work import FormulaWork
from armature.app.equations.kinematics.arm_frames import ArmFrames, carried
from armature.app.equations.kinematics.kinematics_maker import PRODUCT, STEP, KinematicsMaker, Made, Wanted
from armature.app.equations.kinematics.kinematics_page import KinematicsPage
from armature.app.equations.symbolic.symbol_maker import compared, style_of, written, zoomed
from armature.app.equations.symbols import numbers_of
from armature.app.equations.tab import EquationTab, divided
from armature.app.scene.overlays.kinematics.point_item import CarriedPoint

if TYPE_CHECKING:
    from armature.app.state.slices import Steps
    from armature.app.style.colour_tokens import Tokens
    from armature.app.workbench import Workbench
    from armature.engine.model.robot import Robot

LENGTHS, POINT = 2, 3  # how much of the tab is in view: after its numbers the lengths, at last the point
FIRST = (0, 3)  # the entry that is shown first: where the frame is along x
REACHES = 0.1  # from the frame, where the point is at first


class KinematicsTab(EquationTab):
    """While it is seen the lengths of the table and the point are in the view."""

    title = "Kinematics"

    def __init__(self, bench: Workbench):
        super().__init__(bench)
        self.page, self.pane = KinematicsPage(bench.preferences.units), FormulaPane("kinematics", significance=False)
        self.frames: ArmFrames | None = None
        self.k, self._entry, self._seen_row = 1, (PRODUCT, FIRST), -1
        self._zoom, self._colour, self._seen = 1.0, "", 0
        self._made: Made | None = None
        self._shown: tuple = ()
        self._maker = KinematicsMaker()
        self._work = FormulaWork("kinematics", bench.parent)

    def making(self) -> Steps:
        """The formula, and the page above it."""
        self.column.addWidget(divided(self.page, self.pane, 200))
        yield
        yield from self.page.making()

    def connect_bench(self) -> None:
        """Wire page, formula and their threads."""
        page = self.page
        page.frame_chosen.connect(self.choose_frame)
        page.lengths_seen.connect(lambda _: self._draw())
        for name, view in ((STEP, page.step), (PRODUCT, page.product)):
            view.chosen.connect(lambda i, j, name=name: self._choose(name, (i, j)))
        for view in (page.general, page.step, page.product):
            view.zoomed.connect(self._on_zoom)
        for signal in (page.point.edited, page.point.seen_changed):
            signal.connect(lambda *_: self._renew())
        for view in (page.general, page.step):
            view.entered.connect(lambda: self._light_up(True))
            view.left.connect(lambda: self._light_up(False))
        page.point.row_chosen.connect(self._on_row)
        self.bench.preferences.units_changed.connect(self._on_units)
        self.pane.copy_chosen.connect(self._on_copy)
        self._work.connect(self._on_made, self.pane.show_text, self.pane.head.setText)

    def set_robot(self, robot: Robot) -> None:
        """Another arm: the way to its tool, entry by entry."""
        self._work.forget()
        self._made = None
        self._seen = 0  # the view has forgotten, too
        frames = self.frames = ArmFrames(robot)
        self.page.set_frames(frames)
        self.page.show_unmade(self._zoom)
        self.pane.show_text("Deriving…")
        self.page.point.p = np.array([REACHES * robot.reach, 0.0, 0.0]).round(2)
        self._entry = PRODUCT, FIRST
        self.choose_frame(frames.last)

    def choose_frame(self, k: int) -> None:
        """Go as far as this frame."""
        if self.frames is None:
            return
        self.k, self._seen_row = k, -1
        if self.frames.is_tool(k):
            self._entry = PRODUCT, self._entry[1]
        self.page.show_frame(k)
        self.page.point.set_point(self.page.point.p, self.frames.frames[k].name)
        self._mark()
        self._renew()

    def follow(self) -> None:
        """The numbers now, and the symbols if they are not there yet."""
        frames = self.frames
        if frames is None:
            return
        if self._shown and self._seen < POINT and self.window().updatesEnabled():
            self._seen += 1  # one after the other: all at once would be felt
            self._draw()
        self._want(frames)
        q = np.asarray(self.bench.document.q)
        shown = (*q, self.k, self._made)
        views = (self.page.general, self.page.step, self.page.product)
        if len(q) == frames.robot.n and (shown != self._shown or any(view.lit.any() for view in views)):
            self._shown = shown
            self._show_numbers(frames, q)

    def leave(self) -> None:
        """Nothing of it stays in the view."""
        if self._seen:
            self._seen = 0
            self._draw()
            self._light_up(False)

    def set_theme(self, tokens: Tokens) -> None:
        """Colours of matrices and formula."""
        self._colour = tokens.text
        self.page.set_theme(tokens)
        self.pane.set_theme(tokens)

    def shut_down(self) -> None:
        """No computation outlives the window."""
        self._work.stop()

    def _renew(self) -> None:
        """Numbers and view, even at the same pose."""
        self._shown = ()
        if self._seen:
            self.follow()
            self._draw()

    def _on_zoom(self, steps: float) -> None:
        self._zoom = zoomed(self._zoom, steps)

    def _on_row(self, row: int) -> None:
        self._seen_row = row
        self._renew()

    def _on_units(self, units) -> None:
        self.page.set_units(units)
        self._renew()

    def _choose(self, matrix: str, place: tuple[int, int]) -> None:
        self._entry = matrix, place
        self._mark()
        self._renew()

    def _mark(self) -> None:
        matrix, place = self._entry
        self.page.step.set_active(place if matrix == STEP else None)
        self.page.product.set_active(place if matrix == PRODUCT else None)

    def _want(self, frames: ArmFrames) -> None:
        style = style_of(self, self._zoom, self.pane.view.zoom, self._colour)
        wanted = Wanted(frames, self.k, *self._entry, style)
        self._work.want(wanted, lambda: self._maker.make(wanted))

    def _on_made(self, made: Made) -> None:
        self._made, frames, pane = made, made.wanted.frames, self.pane
        self.page.show_made(made, self._zoom)
        if made.formula is None:
            pane.show_text(made.why_not)
            return
        pane.view.show_formula(made.symbols, made.pieces)
        pane.show_letters(made.formula.letters, frames.robot.tree)
        pane.matrix = frames.step_symbol(made.wanted.k) if made.wanted.matrix == STEP else frames.symbol(made.wanted.k)
        pane.entry = f"{pane.matrix} {_place(made.wanted.place)}"
        pane.copy.setEnabled(True)

    def _show_numbers(self, frames: ArmFrames, q: np.ndarray) -> None:
        """Matrices, the formula's symbols, and the point on its way."""
        X, page = frames.poses(q), self.page
        page.show_poses(frames, self.k, X, q)
        way = carried(frames, X, self.k, page.point.p)
        row = self._row(len(way))
        page.point.set_names([text for text, _, _ in way], row)
        page.point.show_values(np.array([v for _, _, v in way]))
        made = self._made
        if made is None or made.formula is None or made.wanted.frames is not frames:
            return
        at = frames.tree_q(q)
        self.pane.view.show_numbers(numbers_of(made.symbols, at, 0 * at, 0 * at))
        value = float(made.formula[made.wanted.place].evaluate(at))
        exact = (X[made.wanted.k] if made.wanted.matrix == PRODUCT else frames.step(X, made.wanted.k))[made.wanted.place]
        self.pane.head.setText(f"{self.pane.entry} = {compared(value, float(exact))}")

    def _light_up(self, on: bool) -> None:
        """The link of the joint whose matrix is under the cursor."""
        self.bench.scene.highlight_joint(self.frames.joint(self.k) if on and self.frames is not None else -1)

    def _row(self, count: int) -> int:
        """The line of the table whose coordinates are drawn, the last one at first."""
        return self._seen_row if 0 <= self._seen_row < count else count - 1

    def _draw(self) -> None:
        """Lengths, point and lit joint in the view, or nothing."""
        scene, frames = self.bench.scene, self.frames
        if self._seen < LENGTHS or frames is None:
            scene.show_lengths(False)
            scene.show_point(None)
            return
        scene.show_lengths(self.page.lengths.isChecked() and frames.robot.dh is not None)
        scene.show_point(self._point(frames) if self._seen == POINT and self.page.point.seen.isChecked() else None)

    def _point(self, frames: ArmFrames) -> CarriedPoint:
        own = frames.frames[self.k]
        p_B = own.X_BF[:3, :3] @ self.page.point.p + own.X_BF[:3, 3]
        way = [*frames.path(self.k)[::-1], 0, -1][: len(frames.path(self.k)) + 1 + frames.based]
        k = way[self._row(len(way))]
        if k < 0:
            return CarriedPoint(own.body, p_B, -1, np.eye(4), "p")
        seen = frames.frames[k]
        return CarriedPoint(own.body, p_B, seen.body, seen.X_BF, f"p_{'t' if frames.is_tool(k) else seen.number}")

    def _on_copy(self, form: str, whole: bool) -> None:
        made = self._made
        if made is not None and (formula := made.formula) is not None:
            self._work.copy(lambda: written(formula, made.wanted.place, form, whole))


def _place(place: tuple[int, int]) -> str:
    return f"[{place[0] + 1}, {place[1] + 1}]"
