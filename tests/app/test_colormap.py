"""The colour map is even to the eye and knows what to do with odd values."""

import numpy as np

from armature.app.style import colormap


def lightness(colours):
    """CIE L* of sRGB colours."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    Y = linear[..., :3] @ [0.2126, 0.7152, 0.0722]
    return 116 * np.cbrt(Y) - 16


def test_lightness_rises_evenly():
    steps = np.diff(lightness(colormap.lookup(np.linspace(0, 1, 21))))
    assert steps.min() > 1.5 and steps.max() < 6.0


def test_values_outside_and_missing_values():
    colours = colormap.lookup(np.array([-1.0, 0.0, 1.0, 7.0, np.nan]))
    assert (colours[0] == colours[1]).all() and (colours[2] == colours[3]).all()
    assert len(set(colours[4, :3])) == 1


def test_normalising():
    even, low, high = colormap.normalised(np.array([2.0, 4.0, 3.0]))
    assert (even == [0, 1, 0.5]).all() and (low, high) == (2.0, 4.0)
    assert (colormap.normalised(np.full(3, 5.0))[0] == 0.5).all()
    assert np.isnan(colormap.normalised(np.array([np.nan]))[0]).all()
