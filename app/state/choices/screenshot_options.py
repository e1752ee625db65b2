"""What a screenshot of the window is to look like."""

from __future__ import annotations

from dataclasses import dataclass

from armature.app.state.units import significant

# 0 x 0 is the size of the view.
PRESETS = {
    "Same as window": (0, 0),
    "1280 × 800": (1280, 800),
    "1920 × 1200": (1920, 1200),
    "Full HD, 1920 × 1080": (1920, 1080),
    "2560 × 1600": (2560, 1600),
    "4K, 3840 × 2160": (3840, 2160),
    "Slide 4:3, 2048 × 1536": (2048, 1536),
    "A4 at 300 dpi": (3508, 2480),
    "Square, 2048 × 2048": (2048, 2048),
}
SCALES = (1, 2, 3, 4)
LEAST, MOST = 16, 16384


@dataclass(frozen=True)
class ScreenshotOptions:
    """`width` × `height` pixels, 0 for as many as the view has, times `scale`."""

    width: int = 1920
    height: int = 1200
    scale: int = 1
    transparent: bool = False
    caption: bool = False

    def size(self, view: tuple[int, int]) -> tuple[int, int]:
        """Pixels of the picture where the view has so many."""
        width, height = (self.width, self.height) if self.width and self.height else view
        return width * self.scale, height * self.scale

    def words(self, view: tuple[int, int]) -> str:
        """The size for people."""
        width, height = self.size(view)
        inches = f"{significant(width / 300 * 2.54, 3)} × {significant(height / 300 * 2.54, 3)} cm in print (300 dpi)"
        return f"{width} × {height} pixels, {significant(width * height / 1e6, 3)} megapixels; {inches}"


def decoded(value) -> ScreenshotOptions:
    """From what was stored; raises ValueError with what is wrong in it."""
    if not isinstance(value, dict):
        raise ValueError("screenshot must be a table")
    options = ScreenshotOptions(**{name: v for name, v in value.items() if name in ScreenshotOptions.__dataclass_fields__})
    sides = (options.width, options.height)
    if not all(type(v) is int and (v == 0 or LEAST <= v <= MOST) for v in sides) or options.scale not in SCALES:
        raise ValueError(
            f"screenshot is {sides} × {options.scale!r}, but each side must be {LEAST} to {MOST} and the scale 1 to 4"
        )
    if not (type(options.transparent) is bool and type(options.caption) is bool):
        raise ValueError("screenshot: transparent and caption must be true or false")
    return options
