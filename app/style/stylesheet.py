"""The style sheet on top of Fusion: quiet frames, even margins, rounded controls."""

from __future__ import annotations

from string import Template

from armature.app.style.icons import FOLDER

TITLE = 12.0  # pt, where text has its usual size
SCALES = (100, 125, 150, 200)  # %, of the size of text; the window has the property `text_scale`
TAB = 10  # px, on either side of a tab's title
# The roles of the palette that have the colours of `Tokens`; those of another theme come with its palette, and the sheets stay.
ROLES = {
    "window": "window",
    "surface": "base",
    "raised": "button",
    "hover": "light",
    "border": "mid",
    "text": "text",
    "muted": "placeholder-text",
    "accent": "highlight",
    "accent_soft": "midlight",
    "on_accent": "highlighted-text",
    "good": "link-visited",
    "warn": "shadow",
    "danger": "bright-text",
}
# What the main window itself draws, which is no widget in it.
FRAME = f"""
QMainWindow::separator {{ background: palette(mid); width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: palette(highlight); }}
QDockWidget {{ titlebar-close-icon: none; titlebar-normal-icon: none; font-weight: 600; }}
QDockWidget::title {{ background: palette(window); padding: 8px 12px 6px 12px; text-align: left; }}
QTabBar {{ background: transparent; }}
QTabBar::tab {{ padding: 7px {TAB}px 6px {TAB}px; color: palette(placeholder-text); background: transparent; border: none;
    border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: palette(text); border-bottom: 2px solid palette(highlight); font-weight: 600; }}
QTabBar::tab:hover {{ color: palette(text); }}
QTabBar QToolButton {{ background: palette(window); border: none; }}
QTabBar QToolButton:hover {{ background: palette(light); }}
"""
_SHEET = Template("""
QLabel[role="hover"] { background: $raised; color: $text; border: 1px solid $border; border-radius: 6px; padding: 4px 8px; }
QMenuBar { background: $window; border-bottom: 1px solid $border; padding: 2px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 5px; background: transparent; }
QMenuBar[dense="true"] { padding: 2px 2px; }
QMenuBar[dense="true"]::item { padding: 4px 2px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $surface; border: 1px solid $border; padding: 5px; }
QMenu::item { padding: 5px 28px 5px 12px; border-radius: 5px; }
QMenu::item:selected { background: $accent_soft; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $border; margin: 5px 8px; }
QMenu::icon { padding-left: 8px; }
QMenu::icon:checked { background: $accent_soft; border: 1px solid $accent; border-radius: 5px; }
QToolBar { background: $window; border: none; border-bottom: 1px solid $border; spacing: 3px; padding: 4px 8px; }
QToolBar::separator { background: $border; width: 1px; margin: 5px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 4px; background: transparent; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $accent_soft; }
QToolButton:focus { border-color: $accent; }
QToolButton[role="perspective"] { padding: 3px 10px; color: $muted; }
QToolButton[role="perspective"]:checked { color: $text; font-weight: 600; }
QToolButton[role="perspective"][dense="true"] { padding: 3px 2px; }
QToolBar[dense="true"] { spacing: 0px; padding: 4px 4px; }
QToolBar[dense="true"]::separator { margin: 5px 2px; }
QToolBar QToolButton[dense="true"] { padding: 4px 2px; }
QToolButton#qt_toolbar_ext_button, QToolButton#qt_menubar_ext_button { padding: 0px; border: none; }
QToolButton[role="section"] { font-weight: 600; padding: 3px 6px 3px 0px; }
QToolButton[role="section"]:checked { background: transparent; }
QToolButton[role="section"]:hover { background: $hover; }
QToolButton::menu-indicator { image: none; width: 0px; }
QToolButton[role="curve"] { padding: 1px 6px 1px 3px; border-radius: 5px; color: $muted; text-align: left; }
QToolButton[role="curve"]:checked { background: transparent; color: $text; }
QToolButton[role="curve"]:hover { background: $hover; }
QToolButton[role="chip"] { padding: 2px 9px; border: 1px solid $border; border-radius: 9px; color: $muted; }
QToolButton[role="chip"]:checked { background: $accent_soft; border-color: $accent_soft; color: $text; }
QToolButton[role="chip"]:focus { border-color: $accent; }
QPushButton { background: $raised; border: 1px solid $border; border-radius: 6px; padding: 5px 14px; }
QPushButton:hover { background: $hover; }
QPushButton:pressed, QPushButton:checked { background: $accent_soft; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $muted; background: $window; }
QPushButton[role="primary"] { background: $accent; border-color: $accent; color: $on_accent; font-weight: 600; }
QPushButton[role="primary"]:disabled { background: $raised; border-color: $border; color: $muted; }
QTabBar#equations_tabs::tab { padding-left: 6px; padding-right: 6px; }
QScrollArea { border: none; background: transparent; }
QWidget[role="page"] { background: transparent; }
QAbstractSpinBox { background: $surface; border: 1px solid $border; border-radius: 5px; padding: 3px 0px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0px; border: none; }
QSplitter::handle { background: transparent; image: none; }
QAbstractSpinBox:focus { border-color: $accent; }
QAbstractSpinBox:disabled { color: $muted; background: $window; }
QAbstractSpinBox[state="near"] { color: $warn; border-color: $warn; }
QAbstractSpinBox[state="out"], QAbstractSpinBox[refused="true"] { color: $danger; border-color: $danger; font-weight: 600; }
QComboBox { background: $surface; border: 1px solid $border; border-radius: 5px; padding: 3px 6px; combobox-popup: 0; }
QComboBox:focus { border-color: $accent; }
QComboBox:disabled { color: $muted; background: $window; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url($arrow); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $border; padding: 4px; outline: none; }
QComboBox QAbstractItemView::item { padding: 4px 6px; border-radius: 5px; }
QComboBox QAbstractItemView::item:selected { background: $accent_soft; color: $text; }
QTableView { background: $surface; border: 1px solid $border; border-radius: 6px; gridline-color: transparent; }
QTableView:focus { border-color: $accent; }
QTableView::item { padding: 0px 1px; }
QTreeView, QListWidget, QListView#robot_cards { background: $surface; border: 1px solid $border; border-radius: 6px; }
QTreeView:focus, QListWidget:focus, QListView#robot_cards:focus { border-color: $accent; }
QTreeView::item { padding: 2px 3px; }
QCheckBox { spacing: 7px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $muted; border-radius: 4px; background: $surface; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($check); }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $muted; border-radius: 8px; background: $surface; }
QRadioButton::indicator:checked { background: $accent; border-color: $accent; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: $accent; }
QCheckBox::indicator:disabled { border-color: $border; background: $window; }
QLineEdit { background: $surface; border: 1px solid $border; border-radius: 5px; padding: 3px 6px; }
QLineEdit:focus { border-color: $accent; }
QLineEdit[refused="true"], QPlainTextEdit[refused="true"] { color: $danger; border-color: $danger; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { border: none; padding: 0px; background: transparent; }
QTableView { selection-background-color: $accent_soft; selection-color: $text; }
QTableView QLineEdit { border-radius: 0px; padding: 0px 2px; }
QListWidget QLineEdit { border: none; border-radius: 0px; padding: 0px 1px; }
QHeaderView { background: transparent; }
QHeaderView::section { background: $surface; color: $muted; border: none; padding: 2px 3px; }
QTableCornerButton::section { background: $surface; border: none; }
QSlider::groove:horizontal { background: $border; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled { background: $border; }
QSlider::handle:horizontal { background: $surface; border: 2px solid $accent; width: 10px; margin: -5px 0; border-radius: 7px; }
QSlider::handle:horizontal:disabled { border-color: $border; }
QProgressBar { background: $raised; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: 4px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QStatusBar { background: $window; border-top: 1px solid $border; }
QStatusBar::item { border: none; }
QLabel#readout_explanation { padding: 0px 10px; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 4px 6px; }
${titles}QLabel[role="muted"] { color: $muted; }
QLabel[role="section"] { font-weight: 600; }
QLabel[role="warning"] { color: $warn; font-weight: 600; }
QLabel[selected="true"] { color: $accent; }
QLabel[level="0"] { color: $good; }
QLabel[level="1"] { color: $warn; }
QLabel[level="2"] { color: $danger; font-weight: 600; }
QLabel[severity="warning"] { color: $warn; }
QLabel[severity="error"] { color: $danger; font-weight: 600; }
QLabel[role="pill"] { border-radius: 9px; padding: 1px 9px; background: $raised; }
QFrame[role="caption"] { background: $raised; border: 1px solid $border; border-radius: 6px; margin: 10px; }
QFrame[role="banner"] { background: $raised; border: none; border-bottom: 1px solid $border; }
QFrame[role="banner"][severity="warning"] { border-left: 3px solid $warn; }
QFrame[role="banner"][severity="error"] { border-left: 3px solid $danger; }
QFrame[role="banner"][severity="info"] { border-left: 3px solid $accent; }
QWidget[role="rule"] { background: $border; }
QPlainTextEdit, QTextBrowser { background: $surface; border: 1px solid $border; border-radius: 6px; }
""")
SHEET = _SHEET.substitute(
    {token: f"palette({role})" for token, role in ROLES.items()},
    titles="".join(
        f'QMainWindow[text_scale="{scale}"] QLabel[role="title"] {{ font-size: {TITLE * scale / 100:g}pt; font-weight: 600; }}\n'
        for scale in SCALES
    ),
    arrow=(FOLDER / "arrow.svg").as_posix(),
    check=(FOLDER / "check.svg").as_posix(),
)
