"""Greedy places of labels, so that none covers another. Edges are left, top, right and bottom in pixels."""

from __future__ import annotations

import numpy as np

RINGS = (0.8, 1.6, 2.5, 3.5)  # heights of a text from its home to the places around it
_D = 0.5**0.5
_AROUND = ((0, -1), (0, 1), (1, 0), (-1, 0), (_D, -_D), (-_D, -_D), (_D, _D), (-_D, _D))
_WAYS = np.array([(0, 0), *_AROUND * len(RINGS)], float)  # from home to the places, in the order in which they are tried
_RING = np.array([0, *np.repeat(RINGS, len(_AROUND))])
LED = 9  # places from here on are so far off that a line leads to them
NOWHERE = -1
SHARED = 4.0  # logical pixels: the transparent margins of two texts may overlap
CALM = 5.0  # logical pixels: a label returns home only where it has so much room to spare, so that it does not flicker


def moved(homes: np.ndarray) -> np.ndarray:
    """Edges of N texts at each of the P places around their homes `(N, 4)`: `(N, P, 4)`, home first."""
    high = homes[:, 3:] - homes[:, 1:2]
    aside = np.maximum(0.5 * (homes[:, 2:3] - homes[:, :1] - high), 0.0)  # as far aside of a wide text as above it
    step = np.rint(np.stack([_WAYS[:, 0] * (high * _RING + aside), _WAYS[:, 1] * high * _RING], axis=-1))
    return homes[:, None] + np.concatenate([step, step], axis=-1)


def find_places(
    edges: np.ndarray,
    before: np.ndarray,
    order: np.ndarray,
    stays: np.ndarray,
    size: tuple[int, int],
    taken: np.ndarray,
    scale: float,
) -> np.ndarray:
    """Return which of P places each of N texts takes in a picture of `size` pixels, NOWHERE where there is no room for it `(N,)`.

    At these places they have `edges` `(N, P, 4)`.

    Those in `order` choose one after the other, clear of what is `taken` `(T, 4)`: each keeps its place of `before`, unless it
    can return home; then the others look for one, except those that `stay` at home.
    """
    places = np.full(len(edges), NOWHERE)
    standing, count = np.empty((len(taken) + len(order), 4)), len(taken)
    standing[:count] = taken
    inside = np.all(edges[..., :2] >= 0.0, axis=-1) & np.all(edges[..., 2:] <= size, axis=-1)

    def stand(k: int, choice: slice, spare: float) -> bool:
        """Place text k at the first of these places where it keeps so many pixels clear of all others."""
        nonlocal count
        here, gap, there = edges[k, choice, None], spare - SHARED * scale, standing[:count]
        overlaps = (here[..., :2] - gap < there[:, 2:]) & (there[:, :2] < here[..., 2:] + gap)
        free = inside[k, choice] & ~np.any(overlaps.all(axis=-1), axis=-1)
        if free.any():
            places[k] = choice.start + int(free.argmax())
            standing[count] = edges[k, places[k]]
            count += 1
        return bool(free.any())

    for k in order:
        was = max(before[k], 0)
        if not stand(k, slice(0, 1), round(CALM * scale) if was else 0.0) and was:
            stand(k, slice(was, was + 1), 0.0)
    for k in order:
        if places[k] == NOWHERE and not stays[k]:
            stand(k, slice(0, len(_WAYS)), 0.0)
    return places
