"""What `make docs` finds wrong with a site."""

from __future__ import annotations

import pytest

import armature
from docs.machinery.site_check import main, problems

ENTRIES = "".join(f'<p id="armature.{name}"></p>' for name in armature.__all__)
SOUND = {
    "index.html": '<a href="api/all.html#armature.rnea">here</a> <img src="arm.png"> <a href="https://example.org">there</a>',
    "api/all.html": f"{ENTRIES} <math>∂</math> <code>Σ</code> 4×4 <a href='../index.html'>back</a> <a href='#armature.ik'>up</a>",
    "arm.png": "",
    "look.css": "@font-face { src: url('letters.ttf') }",
}


@pytest.fixture
def site(tmp_path):
    """Writes a site: what is sound, with other files put in."""

    def made(**changed: str):
        for name, text in (SOUND | {name.replace("__", "/").replace("_", "."): text for name, text in changed.items()}).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return made


def test_a_sound_site_passes(site, capsys):
    assert list(problems(site())) == [] and main(site()) == 0
    assert "2 pages, 0 problems" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('<a href="gone.html">x</a>', "gone.html leads nowhere"),
        ('<a href="api/all.html#nowhere">x</a>', "leads to no place on that page"),
        ('<a href="../../etc/passwd">x</a>', "leads nowhere"),
        ('<img src="gone.png">', "gone.png leads nowhere"),
        ('<script src="https://example.org/x.js"></script>', "is loaded from elsewhere"),
        ('<a href="http://example.org">x</a>', "is no address"),
        (r"<math><mi>\bigl</mi></math>", r"\bigl stayed TeX in an equation"),
    ],
)
def test_what_leads_nowhere_is_told(site, text, told, capsys):
    (found,) = problems(site(index_html=text))
    assert found.startswith("index.html: ") and told in found
    assert main(site(index_html=text)) == 1


def test_a_style_that_needs_a_network_is_told(site):
    (found,) = problems(site(look_css="p { background: url(https://example.org/a.png) }"))
    assert found == "look.css: https://example.org/a.png is loaded from elsewhere"


def test_a_missing_entry_and_a_plain_equation_are_told(site):
    found = list(problems(site(api__all_html=SOUND["api/all.html"].replace('<p id="armature.ik">', "<p>tau = ∂L/∂q"))))
    assert "armature.ik is public and has no entry" in found
    assert any("an equation is plain text: 'tau = ∂L/∂q" in line for line in found)


def test_an_empty_folder_is_no_site(tmp_path):
    assert main(tmp_path) == 1
