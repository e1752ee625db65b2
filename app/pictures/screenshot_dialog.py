"""How screenshots are made: size, ground and caption, chosen once and remembered."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from armature.app.state.choices.screenshot_options import LEAST, MOST, PRESETS, SCALES, ScreenshotOptions
from armature.app.widgets.plain_field import WholeField

FREE = "Custom size"


class ScreenshotDialog(QDialog):
    """`changed(options)` with every choice; `copy_wanted` and `save_wanted` make the picture."""

    changed = Signal(object)
    copy_wanted = Signal()
    save_wanted = Signal()

    def __init__(self, options: ScreenshotOptions, view_size: Callable[[], tuple[int, int]], parent: QWidget):
        super().__init__(parent)
        self.setObjectName("screenshot_dialog")
        self.setWindowTitle("Screenshot")
        self._view_size = view_size
        self.preset, self.scale = QComboBox(), QComboBox()
        self.preset.addItems([*PRESETS, FREE])
        self.scale.addItems([f"{factor} ×" for factor in SCALES])
        self.width_, self.height_ = _pixels("screenshot_width", "Width"), _pixels("screenshot_height", "Height")
        self.transparent, self.caption = QCheckBox("Transparent background"), QCheckBox("Caption with name and pose")
        self.transparent.setToolTip("Show only the arm, its shadow and the drawn lines; for slides and papers")
        self.caption.setToolTip("The robot's name and its joint values at the lower left")
        for name, part, title in (
            ("preset", self.preset, "Size"),
            ("scale", self.scale, "Size factor"),
            ("transparent", self.transparent, "Transparent background"),
            ("caption", self.caption, "Caption with name and pose"),
        ):
            part.setObjectName(f"screenshot_{name}")
            part.setAccessibleName(title)
        self.scale.setToolTip("Factor for the number of pixels")
        self.words = QLabel()
        self.words.setObjectName("screenshot_words")
        self.words.setProperty("role", "muted")
        self.words.setWordWrap(True)
        self._lay_out()
        self._show(options)
        self.preset.currentTextChanged.connect(self._on_preset)
        for signal in (self.width_.valueChanged, self.height_.valueChanged, self.scale.currentIndexChanged):
            signal.connect(self._on_change)
        self.transparent.toggled.connect(self._on_change)
        self.caption.toggled.connect(self._on_change)

    def options(self) -> ScreenshotOptions:
        """What is chosen."""
        width, height = PRESETS.get(self.preset.currentText(), (self.width_.value(), self.height_.value()))
        scale = SCALES[self.scale.currentIndex()]
        return ScreenshotOptions(width, height, scale, self.transparent.isChecked(), self.caption.isChecked())

    def _lay_out(self):
        free = QHBoxLayout()
        free.addWidget(self.width_)
        free.addWidget(QLabel("×"))
        free.addWidget(self.height_)
        free.addStretch()
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.addRow("Size", self.preset)
        form.addRow("", free)
        form.addRow("Factor", self.scale)
        form.addRow("", self.transparent)
        form.addRow("", self.caption)
        note = QLabel("The picture has the overlays, colours and view of the window.")
        note.setProperty("role", "muted")
        buttons = QHBoxLayout()
        buttons.addStretch()
        for name, text, tip, signal in (
            ("screenshot_copy", "Copy", "Copy the picture to the clipboard", self.copy_wanted),
            ("screenshot_save", "Save…", "Choose where to save the picture", self.save_wanted),
        ):
            button = QPushButton(text)
            button.setObjectName(name)
            button.setToolTip(tip)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, signal=signal: signal.emit())
            buttons.addWidget(button)
        button.setProperty("role", "primary")
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 14)
        layout.setSpacing(12)
        layout.addLayout(form)
        layout.addWidget(self.words)
        layout.addWidget(note)
        layout.addStretch()
        layout.addLayout(buttons)
        self.setMinimumWidth(30 * self.fontMetrics().height())

    def _show(self, options: ScreenshotOptions):
        size = (options.width, options.height)
        names = [name for name, preset in PRESETS.items() if preset == size]
        self.preset.setCurrentText(names[0] if names else FREE)
        self.scale.setCurrentIndex(SCALES.index(options.scale))
        self.transparent.setChecked(options.transparent)
        self.caption.setChecked(options.caption)
        self._fill(size)
        self._tell()

    def _fill(self, size: tuple[int, int]):
        shown = size if all(size) else self._view_size()
        for field, value in zip((self.width_, self.height_), shown, strict=True):
            with QSignalBlocker(field):
                field.setValue(value)
            field.setEnabled(self.preset.currentText() == FREE)

    def _on_preset(self, name: str):
        self._fill(PRESETS.get(name, (self.width_.value(), self.height_.value())))
        self._on_change()

    def _on_change(self, *_):
        self._tell()
        self.changed.emit(self.options())

    def _tell(self):
        self.words.setText(self.options().words(self._view_size()))


def _pixels(name: str, title: str) -> WholeField:
    field = WholeField()
    field.setObjectName(name)
    field.setAccessibleName(f"{title} in pixels")
    field.setRange(LEAST, MOST)
    field.setSuffix(" px")
    field.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return field
