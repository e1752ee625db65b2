"""`FreeRange`: how far a joint is from contact in both directions."""

from __future__ import annotations

from typing import NamedTuple

from armature.app.state.units import Units


class FreeRange(NamedTuple):
    """Free from `low` to `high`, rad or m; the pairs touch at these ends, ("", "") where a limit ends the range."""

    low: float
    high: float
    low_pair: tuple[str, str]
    high_pair: tuple[str, str]

    @property
    def is_ended(self) -> bool:
        """Whether a contact ends the range, not only limits."""
        return any(self.low_pair + self.high_pair)

    def text(self, units: Units, slides: bool) -> str:
        """Return the range and its contacts, such as "free from −35.2° to 61°; at 61° forearm hits table"."""
        ends = [
            (units.short(x, slides), " hits ".join(pair)) for x, pair in ((self.low, self.low_pair), (self.high, self.high_pair))
        ]
        if self.low == self.high:
            return f"no free range: {ends[0][1]}"
        contacts = [f"; at {end} {hit}" for end, hit in ends if hit != " hits "]
        return f"free from {ends[0][0]} to {ends[1][0]}{''.join(contacts)}"
