"""The dock *Questions*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from armature.app.feature import Feature
from armature.app.late_feature import LateFeature, Stand
from armature.app.widgets.actions import Command, block
from armature.app.widgets.dock import LEFT

if TYPE_CHECKING:
    from pathlib import Path


class QuestionsDock(LateFeature):
    """Empty until it is first seen."""

    stand = Stand("questions", "Questions", LEFT, {"equations": 10})
    commands = (
        *block(
            "Help",
            2.0,
            Command("questions", "Questions", tip="Exercises on the displayed arm, with answer checking, hints and solutions"),
        ),
    )

    def wire(self) -> None:
        """Wire its command, and questions that are opened as files."""
        self._bench.actions.on("questions", self.dock.bring_up)
        self._bench.files.question_requested.connect(self._open)

    def _open(self, path: Path) -> None:
        self.feature.library.open_file(path)

    @staticmethod
    def load() -> type[Feature]:
        """Import the feature."""
        from armature.app.questions.feature import QuestionsFeature

        return QuestionsFeature
