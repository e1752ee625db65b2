"""The poses of the robot: those of its file and those a person saved, in the menu Pose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from armature.app.feature import Feature
from armature.app.joints.saved_poses import LONGEST, SavedPoses
from armature.app.widgets.actions import Command
from armature.app.widgets.controls import button, named, row

if TYPE_CHECKING:
    from armature.app.state.session_tables import SessionFile
    from armature.app.workbench import Workbench

FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


class PosesDialog(QDialog):
    """Stays open beside the window; `wanted(name)` tells to which pose the arm is to go."""

    wanted = Signal(str)

    def __init__(self, poses: SavedPoses, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("poses_dialog")
        self.setWindowTitle("Saved poses")
        self._poses = poses
        self._name = named(QLineEdit(), "pose_name", "Name of the current pose")
        self._name.setMaxLength(LONGEST)
        self._save = button("pose_save", "Save", "Save the current pose", "Save the current pose of the arm under this name")
        self._list = named(QListWidget(), "pose_list", "Saved poses")
        self._list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed | QListWidget.EditTrigger.DoubleClicked)
        self._go = button("pose_go", "Go to pose", tip="Move the arm to this pose")
        self._rename = button("pose_rename", "Rename", tip="Rename this pose  (F2)")
        self._delete = button("pose_delete", "Delete", tip="Delete this pose  (Del)")
        self._words = named(QLabel(), "pose_words")
        self._words.setProperty("role", "muted")
        self._words.setWordWrap(True)
        for part in (self._save, self._go, self._rename, self._delete):
            part.setAutoDefault(False)
        self._lay_out()
        self._wire()
        self.show_poses()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.addWidget(row(QLabel("Current pose"), self._name, self._save, stretch=self._name))
        layout.addWidget(self._list, 1)
        layout.addWidget(row(self._go, self._rename, self._delete, None))
        layout.addWidget(self._words)
        self.resize(380, 320)

    def _wire(self) -> None:
        self._poses.changed.connect(self.show_poses)
        self._save.clicked.connect(self._on_save)
        self._name.returnPressed.connect(self._on_save)
        self._name.textEdited.connect(lambda _: self._words.setText(""))
        self._list.itemSelectionChanged.connect(self._allow)
        self._list.itemChanged.connect(self._on_renamed)
        self._go.clicked.connect(lambda: self.wanted.emit(self._chosen))
        self._rename.clicked.connect(lambda: self._list.editItem(self._list.currentItem()))
        self._delete.clicked.connect(self._on_delete)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self._list, context=Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._on_delete)

    def begin(self) -> None:
        """Come up with a name to type over."""
        self._offer_name()
        self._words.clear()
        self.show()
        self.raise_()
        self.activateWindow()
        self._name.setFocus()

    def _offer_name(self) -> None:
        self._name.setText(self._poses.free_name())
        self._name.selectAll()

    def show_poses(self) -> None:
        """The poses there are now; what was selected stays so, where it still is there."""
        chosen, row = self._chosen, self._list.currentRow()
        with QSignalBlocker(self._list):
            self._list.clear()
            for name in self._poses.now:
                item = QListWidgetItem(name)
                item.setData(Qt.ItemDataRole.UserRole, name)
                item.setFlags(FLAGS)
                self._list.addItem(item)
            found = self._list.findItems(chosen, Qt.MatchFlag.MatchExactly) if chosen else []
            self._list.setCurrentRow(self._list.row(found[0]) if found else min(row, self._list.count() - 1))
        self._allow()

    @property
    def _chosen(self) -> str:
        item = self._list.currentItem()
        return "" if item is None else item.data(Qt.ItemDataRole.UserRole)

    def _allow(self) -> None:
        for part in (self._go, self._rename, self._delete):
            part.setEnabled(bool(self._chosen))

    def _on_save(self) -> None:
        name, why = self._name.text(), self._poses.why_not(self._name.text())
        self._words.setText(why)
        if why:
            self._name.setFocus()
            self._name.selectAll()
            return
        self._poses.save(name)
        self._list.setCurrentRow(self._list.count() - 1)
        self._words.setText(f"Saved as {name.strip()}.")
        self._offer_name()

    def _on_renamed(self, item: QListWidgetItem) -> None:
        old, new = item.data(Qt.ItemDataRole.UserRole), item.text()
        why = self._poses.why_not(new, but=old)
        self._words.setText(why)
        if why or new.strip() == old:
            with QSignalBlocker(self._list):
                item.setText(old)
            return
        item.setData(Qt.ItemDataRole.UserRole, new.strip())
        self._poses.rename(old, new)

    def _on_delete(self) -> None:
        if name := self._chosen:
            self._poses.delete(name)
            self._words.setText(f"Deleted {name}.")


class PosesFeature(Feature):
    """Fills the menu and takes the arm to what is chosen there."""

    commands = (Command("save_pose", "Save, rename or delete poses…", "", ("Ctrl+Alt+S",), "Manage your saved poses"),)

    def __init__(self, bench: Workbench):
        self._bench = bench
        self.saved = SavedPoses(bench.document, bench.preferences, bench.parent)
        self._dialog: PosesDialog | None = None

    def wire(self) -> None:
        """Follow the robot and its saved poses."""
        self._bench.actions.on("save_pose", self._open)
        self.saved.changed.connect(self._fill)

    def set_robot(self, robot) -> None:
        """Other poses."""
        self._fill()
        if self._dialog is not None:
            self._dialog.show_poses()

    def shut_down(self) -> None:
        """Nothing stays open."""
        if self._dialog is not None:
            self._dialog.close()

    def session_tables(self) -> dict[str, dict[str, Any]]:
        """Saved poses of the open robot."""
        return {"poses": {name: q.tolist() for name, q in self.saved.now.items()}}

    def open_session(self, file: SessionFile) -> None:
        """Add the saved poses of the session."""
        self.saved.add(file.poses)

    def _fill(self) -> None:
        menu, saved = self._bench.poses, self.saved.now
        menu.clear()
        for poses in (self._bench.document.robot.configurations, saved):
            for name in poses:
                action = menu.addAction(name.replace("&", "&&"))
                action.setObjectName(f"action_pose_{name}")
                action.triggered.connect(partial(self.go_to, name))
            menu.addSeparator()
        menu.addAction(self._bench.actions["save_pose"])

    def go_to(self, name: str, _checked: bool = False) -> None:
        """Take the arm to one of its poses."""
        bench = self._bench
        poses: dict[str, np.ndarray] = {**self.saved.now, **bench.document.robot.configurations}
        bench.replay.close(f"the arm was moved to its pose {name}")
        if bench.simulation.running:
            bench.simulation.pause()
        bench.document.edit(poses[name], text=f"pose {name}")
        bench.scene.keep_in_view()

    def _open(self) -> None:
        if self._dialog is None:
            self._dialog = PosesDialog(self.saved, self._bench.parent)
            self._dialog.wanted.connect(self.go_to)
        self._dialog.begin()
