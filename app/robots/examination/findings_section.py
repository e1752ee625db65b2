"""`FindingsSection`: all findings of the open robot, the gravest first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal

from armature.app.robots.examination.finding_card import FindingCard
from armature.app.style.colour_tokens import LIGHT, Tokens
from armature.app.widgets.controls import button, named
from armature.app.widgets.section import Section, note
from armature.engine import Finding

UNDER_WAY, NOTHING = "Checking …", "The model check found no problems."
MOST = 30  # cards; more of them are counted


class FindingsSection(Section):
    """Tells `repair_wanted(findings)`."""

    repair_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__("Model check")
        self.setObjectName("examination")
        self.summary = self.add(named(note(UNDER_WAY), "examination_summary", "Findings of the model check"))
        tip = "Apply every repair that is unambiguous; other repairs have their own buttons below"
        self.all = self.add(button("examination_repair_all", "Apply safe fixes", tip=tip))
        self.all.hide()
        self.all.clicked.connect(lambda _: self.repair_wanted.emit(self._certain()))
        self.cards: list[FindingCard] = []
        self._tokens: Tokens = LIGHT

    def show_busy(self) -> None:
        """An examination is under way; what was found before stays until it is done."""
        if not self.cards:
            self.summary.setText(UNDER_WAY)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these in place of the last ones."""
        for card in self.cards:
            self.content.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for k, finding in enumerate(findings[:MOST]):
            card = self.add(FindingCard(finding, k + 1))
            card.set_theme(self._tokens)
            card.repair_wanted.connect(lambda one: self.repair_wanted.emit([one]))
            self.cards.append(card)
        more = len(findings) - len(self.cards)
        self.summary.setText(
            counted(findings) + (f"; only the first {MOST} are shown." if more else ".") if findings else NOTHING
        )
        self.all.setVisible(len(self._certain()) > 1)

    def _certain(self) -> list[Finding]:
        return [card.finding for card in self.cards if card.finding.repair is not None and card.finding.repair.certain]

    def set_theme(self, tokens: Tokens) -> None:
        """Other colours."""
        self._tokens = tokens
        for card in self.cards:
            card.set_theme(tokens)


def counted(findings: Sequence[Finding]) -> str:
    """ "1 error, 2 warnings, 1 note"; empty for none."""
    words = {"error": ("error", "errors"), "doubtful": ("warning", "warnings"), "note": ("note", "notes")}
    counts = {grade: sum(finding.grade == grade for finding in findings) for grade in words}
    return ", ".join(f"{count} {words[grade][count > 1]}" for grade, count in counts.items() if count)
