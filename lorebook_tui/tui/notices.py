"""Notices that do not stand in the way: equal ones are one, few stand at once, and they go once they were read."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from textual import events

from lorebook_tui.tui.type_ahead import TypeAhead

if TYPE_CHECKING:
    from typing import Any

    from textual.notifications import Notification, Notify

R = TypeVar("R")

_MOST: Final = 2
"""Notices at once where there is little room."""
_ROOMY: Final = (100, 34)
"""Cells and rows from which on more of them leave enough of the work in sight."""


class Notices(TypeAhead[R]):
    """An application whose notices give way to the work."""

    READ_AFTER: ClassVar[float] = 1.0
    """Seconds after which a notice counts as read; the next key or dialog takes it away, unless it warns."""

    def on_notify(self, event: Notify) -> None:
        """Make room for a notice, which Textual adds to those that are left here."""
        new = event.notification
        others = [notice for notice in self._notifications if _words(notice) != _words(new)]
        is_small = self.size.width < _ROOMY[0] or self.size.height < _ROOMY[1]
        # The newest and whatever warns stay longest.
        others.sort(key=lambda notice: (notice.severity != "information", notice.raised_at))
        kept = others[max(0, len(others) - _MOST + 1) :] if is_small else others
        for notice in list(self._notifications):
            if notice not in kept:
                self._unnotify(notice, refresh=False)

    def clear_read_notices(self) -> None:
        """Take away what was read and warns of nothing."""
        now = time()
        read = [
            notice
            for notice in self._notifications
            if notice.severity == "information" and now - notice.raised_at >= self.READ_AFTER
        ]
        for notice in read:
            self._unnotify(notice)

    async def on_event(self, event: events.Event) -> None:
        """A key goes on with the work."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.clear_read_notices()
        await super().on_event(event)

    def push_screen(self, *args: Any, **options: Any) -> Any:
        """A dialog begins with its own words alone."""
        self.clear_read_notices()
        return super().push_screen(*args, **options)


def _words(notice: Notification) -> tuple[str, str, str]:
    return notice.title, notice.message, notice.severity
