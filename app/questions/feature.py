"""Questions: exercises beside the arm, and checked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from armature.app.feature import Feature
from armature.app.questions.answer_rows import PoseRow
from armature.app.questions.attempt import SHOWN, SOLVED, Attempt
from armature.app.questions.judge import Verdict, judge, reached
from armature.app.questions.library import Library
from armature.app.questions.panel import READING, QuestionsPanel
from armature.app.questions.quantities import State
from armature.app.questions.question import Question
from armature.app.state.engine_startup import KernelStage
from armature.app.state.jobs import JobRunner
from armature.app.widgets.dock import Dock
from armature.app.widgets.on_screen import on_screen
from armature.app.widgets.pop_up import Line, pop_up

if TYPE_CHECKING:
    from armature.app.workbench import Workbench


class QuestionsFeature(Feature):
    """Reads the questions when its dock is first seen; judges in the background; watches poses while the dock is seen."""

    dock: Dock

    def __init__(self, bench: Workbench, dock: Dock):
        self._bench, self.dock = bench, dock
        self.panel = QuestionsPanel()
        self.library, self.runner = Library(bench), JobRunner("questions", bench.parent)
        self.question: Question | None = None
        self._attempts: dict[str, Attempt] = {}
        self._reading, self._ready = False, False

    def wire(self) -> None:
        """Wire panel, files and clock."""
        bench, panel = self._bench, self.panel
        panel.chosen.connect(self.choose)
        panel.checked.connect(self._check)
        panel.hint_wanted.connect(self._hint)
        panel.solution_wanted.connect(self._solve)
        panel.arm_wanted.connect(self._set_up_arm)
        panel.more_wanted.connect(self._offer)
        self.library.changed.connect(self._show_list)
        self.library.read.connect(self._on_read)
        self.runner.finished.connect(self._on_judged)
        self.library.opened.connect(self._on_opened)
        self.library.refused.connect(self._on_refused)
        bench.clock.reading.connect(self._on_reading)
        bench.startup.show_wait(lambda: not self._ready and self.question is None, panel.show_nothing, READING)
        bench.startup.when(KernelStage.ALL, self._on_ready)
        bench.document.robot_changed.connect(lambda _: self._show_arm())

    def shut_down(self) -> None:
        """No thread outlives the window."""
        self.library.stop()
        self.runner.stop()

    @property
    def attempt(self) -> Attempt:
        """How far one is with the open question."""
        assert self.question is not None
        name, count = self.question.name, len(self.question.file.answers)
        if name not in self._attempts or len(self._attempts[name].given) != count:  # the file may be another one by now
            self._attempts[name] = Attempt.at(count)
        return self._attempts[name]

    def _on_ready(self) -> None:
        self._ready = True

    # -- which question --------------------------------------------------------------------------------------------------------

    def _on_read(self) -> None:
        if self.library.questions:
            self.choose(self.library.first_open() if self.question is None else self.question.name)

    def _show_list(self) -> None:
        self.panel.show_list(self.library.questions, self.library.progress)

    def _on_opened(self, name: str) -> None:
        """A file that the user opened or dropped is shown at once."""
        self.question = None  # what is typed belongs to the file as it was
        self._attempts.pop(name, None)
        self._bench.preferences.add_recent(str(self.library[name].path.resolve()))
        self.dock.bring_up()
        self.choose(name)

    def _on_refused(self, why: str) -> None:
        self._bench.files.complain("Cannot open this question", why)

    def choose(self, name: str) -> None:
        """Ask this question."""
        self.runner.cancel()
        self._keep()
        self.question = self.library[name]
        self.panel.show_question(self.question, self.attempt)
        self._show_arm()

    def _keep(self) -> None:
        """What is typed so far."""
        if self.question is not None and len(self.panel.rows) == len(self.attempt.given):
            self.attempt.keep([row.given for row in self.panel.rows])

    def _offer(self) -> None:
        bench, library, at = self._bench, self.library, self.panel.tools["questions_more"]
        lines = [
            Line("question_open", "Open a question…", bench.files.ask_open),
            Line("question_folder", "Folder of your questions…", library.choose_folder, tip=str(bench.files.question_folder())),
            None,
            Line("question_over", "Reset this question", self._start_over, self.question is not None),
            Line("questions_over", "Reset all progress", self._start_all_over),
        ]
        pop_up(self.panel, "Questions", at.mapToGlobal(at.rect().bottomLeft()), lines)

    def _start_over(self) -> None:
        if self.question is not None:
            self.library.remember(self.question.name, "")
            self._attempts.pop(self.question.name, None)
            self.panel.show_question(self.question, self.attempt)

    def _start_all_over(self) -> None:
        self._attempts.clear()
        self.library.forget_all()
        self._start_over()

    # -- the arm ---------------------------------------------------------------------------------------------------------------

    @property
    def _on_stage(self) -> bool:
        """Whether the question's arm is the one on screen."""
        robot, question = self._bench.document.robot, self.question
        return question is not None and (robot.name, robot.source) == (question.robot.name, question.robot.source)

    def _show_arm(self) -> None:
        question = self.question
        if question is not None and not self._on_stage:
            title = question.robot.title or question.robot.name
            self.panel.show_arm(f"This question is about another arm: {title}.", f"Open {title}")
        elif question is not None:
            self.panel.show_arm("", "Move arm to this pose" if question.poses else "")

    def _set_up_arm(self) -> None:
        """Open the arm, and set it in the pose that is meant."""
        question = self.question
        if question is None:
            return
        pose = partial(self._set_q, question.state.q) if question.poses else lambda: None
        if self._on_stage:
            pose()
        else:
            self._bench.files.open_robot(str(question.robot.source), pose)

    def _set_q(self, q: np.ndarray) -> None:
        if self._on_stage and not self._bench.simulation.running:
            self._bench.replay.close("the check of a question changed the pose")
            self._bench.document.edit(q, text="question pose")

    def _on_reading(self) -> None:
        """Read the questions when the dock is first seen; then watch the poses that are requested."""
        if not self._ready or not on_screen(self.panel):
            return
        if not self._reading:
            self._reading = True
            self.library.read_all()
        for k, row in enumerate(self.panel.rows):
            if isinstance(row, PoseRow):
                self._watch(k, row)

    def _watch(self, k: int, row: PoseRow) -> None:
        question = self.question
        if question is None or not self._on_stage:
            row.show_values(None)
            return
        state = State(question.robot, self._bench.document.q, question.state.qd, question.state.qdd)
        values = [reached(state, condition) for condition in row.answer.where]
        row.show_values(values)
        if all(there for _, there in values) and self.attempt.verdicts[k] is None:
            self._keep()
            self.attempt.verdicts[k] = Verdict(True, "Correct.")
            self._show_verdicts()

    # -- answers ---------------------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        question = self.question
        if question is None:
            return
        self._keep()
        opened = self.attempt.open_answers(question.file.one_by_one)
        to_check = {k: given for k, given in enumerate(self.attempt.given[:opened]) if given}
        if to_check:
            self.runner.start(partial(_judged, question, to_check))

    def _on_judged(self, result: tuple[Question, dict[int, Verdict]]) -> None:
        question, verdicts = result
        if question is not self.question:
            return
        before = self.attempt.open_answers(question.file.one_by_one)
        for k, verdict in verdicts.items():
            self.attempt.verdicts[k] = verdict
        self._show_verdicts()
        if (after := self.attempt.open_answers(question.file.one_by_one)) > before:
            self.panel.rows[after - 1].start()

    def _show_verdicts(self) -> None:
        question = self.question
        assert question is not None
        if self.attempt.solved:
            self.library.remember(question.name, SOLVED)
        self.panel.show_attempt(question, self.attempt)

    def _hint(self) -> None:
        if self.question is not None:
            self._keep()
            self.attempt.hints = min(self.attempt.hints + 1, len(self.question.file.hints))
            self.panel.show_attempt(self.question, self.attempt)

    def _solve(self) -> None:
        """Give the right answers; a question that was not solved before counts as looked up."""
        question = self.question
        if question is None:
            return
        attempt, answers = self.attempt, question.file.answers
        attempt.solution, attempt.given = True, [question.right_answer(answer) for answer in answers]
        attempt.verdicts = [None] * len(answers)
        self.library.remember(question.name, SHOWN)
        self.panel.show_question(question, attempt)
        example = next((answer.example for answer in answers if answer.example is not None), None)
        if example is not None:
            self._set_q(np.array(example, float))


def _judged(question: Question, to_check: dict[int, str], _job) -> tuple[Question, dict[int, Verdict]]:
    return question, {k: judge(question, question.file.answers[k], given) for k, given in to_check.items()}
