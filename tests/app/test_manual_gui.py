"""Help ▸ Manual: its pages, links, history and search, and F1 in a panel."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from armature.app.manual import pages
from armature.app.style.colour_tokens import DARK
from tests.app.test_keyboard import CTRL

DOCS = Path(__file__).resolve().parents[2] / "docs"
ALT, NONE, LEFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
NAMES = [name for name, _ in pages.contents()]


@pytest.fixture
def manual(window, find, wait_for):
    """The manual at its first page."""
    window.actions_["manual"].trigger()
    dialog = find(window, "manual")
    wait_for(dialog.isActiveWindow)
    yield dialog
    dialog.close()


def link_place(view, words: str) -> QPoint:
    """Scroll to the link with these words; return its position in the view, px."""
    cursor = view.document().find(words)
    while not cursor.charFormat().anchorHref():
        cursor = view.document().find(words, cursor)
        assert not cursor.isNull(), words
    view.setTextCursor(cursor)
    view.ensureCursorVisible()
    rect = view.cursorRect(cursor)
    return QPoint(rect.x() - 4, rect.center().y())


def click_link(view, words: str) -> None:
    """A click on it."""
    QTest.mouseClick(view.viewport(), LEFT, NONE, link_place(view, words))


def test_every_page_is_in_the_contents_and_plain_and_every_link_leads_somewhere():
    assert sorted(NAMES) == sorted(str(file.relative_to(DOCS).with_suffix("")) for file in DOCS.rglob("*.md"))
    for name in NAMES:
        page = pages.page(name)
        text = re.sub(r"`[^`]*`", "", re.sub(r"^```.*?^```$", "", page.markdown, flags=re.MULTILINE | re.DOTALL))
        assert page.title and not re.search(r"[$\0]|^:::|\{[\w:-]+\}|\{\{", text, re.MULTILINE), name
        for goal in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", text):
            if not goal.startswith(("http", "file:")):  # a file of the built site, if there is one
                other, heading = pages.target(name, goal)
                found = re.findall(r"^#+ +(.+?)\s*$", pages.page(other).markdown, re.MULTILINE)
                assert not heading or heading in map(pages.anchor, found), (name, goal)


def test_directives_roles_and_equations_become_plain(monkeypatch, tmp_path):
    text = """# A `page`
:::{note} Mind
one
:::
```{arm} panda
:alt: An arm
```
```{code-block} toml
:caption: x
a = "$b$"
```
{py:obj}`armature.ik` and $x$, [out](other.py), [in](#a-page)
$$
y
$$
"""
    (tmp_path / "index.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(pages, "shipped", lambda _, name: tmp_path / name)
    page = pages.page("index")
    assert page.title == "A page" and page.formulas == ("x", "y")
    assert "> **Note** Mind\n> \n> one" in page.markdown and "*Picture: An arm.*" in page.markdown  # none is drawn
    assert '```toml\na = "$b$"\n```' in page.markdown
    assert "`armature.ik` and ![formula](tex:0), out, [in](#a-page)" in page.markdown


def test_pages_are_reached_by_contents_links_and_keys(manual, find, press):
    view, contents = find(manual, "manual_page"), find(manual, "manual_contents")
    assert view.page.name == "index" and not find(manual, "manual_back").isEnabled()
    line = contents.findItems("File formats", Qt.MatchFlag.MatchExactly)[0]
    contents.scrollToItem(line)
    QTest.mouseClick(contents.viewport(), LEFT, NONE, contents.visualItemRect(line).center())
    assert view.page.name == "formats/index"
    click_link(view, "results of sweeps")
    assert view.page.name == "formats/scenarios" and contents.currentItem().text(0) == "Scenario files"
    assert view.verticalScrollBar().value() > 0  # at the heading that the link names
    press(manual, Qt.Key.Key_Left, ALT)
    assert view.page.name == "formats/index"
    QTest.mouseClick(find(manual, "manual_forward"), LEFT)
    assert view.page.name == "formats/scenarios" and view.verticalScrollBar().value() > 0


def test_the_search_goes_through_all_pages(manual, find, press):
    view, search = find(manual, "manual_page"), find(manual, "manual_search")
    press(manual, Qt.Key.Key_F, CTRL)
    assert search.hasFocus()
    QTest.keyClicks(search, "echeandia")
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert view.page.name == "algorithms/coriolis" and view.textCursor().selectedText() == "Echeandia"
    search.clear()
    QTest.keyClicks(search, "no such word anywhere")
    QTest.keyClick(search, Qt.Key.Key_Return)
    assert find(manual, "manual_found").text() == "Not found" and view.page.name == "algorithms/coriolis"


def test_formulas_and_text_take_the_colours_of_the_theme(window, manual, find, wait_for):
    view = find(manual, "manual_page")
    manual.open_page("algorithms/coriolis")
    window.preferences.set(theme="dark")

    def ink() -> str:
        image = view.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("tex:0"))
        colours = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
        return next(colour.name() for colour in colours if colour.alpha() == 255)

    wait_for(lambda: ink() == DARK.text)
    assert view.palette().base().color().name() == DARK.surface


def test_f1_in_a_dock_opens_its_page(window, find, press, wait_for):
    docks = [dock.name for dock in window.docks.all()]
    assert {pages.of_dock(name) for name in docks} == {f"manual/{name}" for name in docks} and pages.of_dock("none") == ""
    field = find(window, "joint_value_joint1")
    field.setFocus()
    press(field, Qt.Key.Key_F1)
    manual = find(window, "manual")
    wait_for(manual.isActiveWindow)
    assert find(manual, "manual_page").page.name == "manual/joints"
    manual.close()


def focused_in(dock) -> QWidget | None:
    """First widget of a dock that accepts the focus, focused."""
    for part in dock.findChildren(QWidget):
        if part.isVisible() and part.isEnabled() and part.focusPolicy() & Qt.FocusPolicy.TabFocus:
            part.setFocus()
            if part.hasFocus():
                return part
    return None


def test_f1_opens_the_page_of_every_dock(make_window, find, press, wait_for):
    window = make_window()
    for dock in window.docks.all():
        if dock.name == "script":  # empty until a script connects
            continue
        window.docks.bring_up(dock.name)
        wait_for(lambda dock=dock: focused_in(dock) is not None)
        press(focused_in(dock), Qt.Key.Key_F1)
        wait_for(lambda dock=dock: find(window, "manual_page").page.name == f"manual/{dock.name}")
        find(window, "manual").close()
        window.activateWindow()  # no window manager does
        wait_for(window.isActiveWindow)


def test_pictures_are_shown_in_the_theme_and_fit_the_page(window, manual, find, wait_for):
    view = find(manual, "manual_page")
    manual.open_page("algorithms/newton_euler")
    assert "picture:images/arm_" in view.page.markdown
    url = QUrl(re.search(r"picture:[\w/.]+", view.page.markdown)[0])

    def ground() -> int:
        return view.document().resource(QTextDocument.ResourceType.ImageResource, url).pixelColor(2, 2).lightness()

    light = ground()
    window.preferences.set(theme="dark")
    wait_for(lambda: ground() < 100 < light)
    manual.resize(manual.width() - 250, manual.height())
    wait_for(lambda: 200 < picture_width(view) <= view.viewport().width())
    manual.open_page("quick_start")
    assert "picture:images/window.webp" in view.page.markdown and picture_width(view) > 200


def picture_width(view) -> float:
    """Width of the first picture of the page, px."""
    block = view.document().begin()
    while block.isValid():
        inside = block.begin()
        while not inside.atEnd():
            form = inside.fragment().charFormat()
            if form.isImageFormat() and form.toImageFormat().name().startswith("picture:"):
                return form.toImageFormat().width()
            inside += 1
        block = block.next()
    return 0.0


def test_every_picture_of_the_pages_ships():
    for name in NAMES:
        assert "*Picture:" not in pages.page(name).markdown, name


def test_the_built_site_opens_from_a_page(manual, find, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr("armature.app.manual.window.QDesktopServices.openUrl", lambda url: opened.append(url.toLocalFile()))
    monkeypatch.setattr(pages, "site", lambda name: tmp_path / f"{name}.html")
    manual.open_page("python")
    QTest.mouseClick(find(manual, "manual_site"), LEFT)
    click_link(find(manual, "manual_page"), "public API")
    assert [Path(file).relative_to(tmp_path).as_posix() for file in opened] == ["python.html", "api/index.html"]
