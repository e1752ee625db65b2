"""The mailbox: the newest wins, across threads too."""

import threading
from itertools import pairwise

from armature.engine.simulation.live.mailbox import Mailbox


def test_it_is_empty_until_something_is_put_and_after_it_is_taken():
    mailbox = Mailbox()
    assert mailbox.take() is None
    mailbox.put("a")
    assert mailbox.take() == "a"
    assert mailbox.take() is None


def test_the_newest_replaces_what_was_not_taken():
    mailbox = Mailbox()
    for item in range(5):
        mailbox.put(item)
    assert mailbox.take() == 4
    assert mailbox.take() is None


def test_a_reader_sees_rising_items_and_the_last_one():
    mailbox, last, seen = Mailbox(), 50_000, []
    writer = threading.Thread(target=lambda: [mailbox.put(k) for k in range(1, last + 1)])
    writer.start()
    while writer.is_alive():
        seen.append(mailbox.take())
    seen = [item for item in [*seen, mailbox.take()] if item is not None]
    assert seen[-1] == last
    assert all(a < b for a, b in pairwise(seen))
