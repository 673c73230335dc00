"""Keys one after the other, however fast they come: each belongs to where the one before it has led.

Textual hands a key to what has the focus as soon as it arrives. Keys that come together, pasted, typed ahead or over a
slow line, would all go to the same place: the letters behind `/` to the tree, as commands, and not into the filter.
"""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar

from textual import events
from textual.app import App
from textual.message import Message

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

R = TypeVar("R")

_PATIENCE: Final = 0.3
"""Seconds after which a key counts as handled, whatever became of the widget that got it."""
_ROUNDS: Final = 4
"""Ways up before the next key: a dialog goes by what its list says to it after what its line has said."""


class KeyHandled(Message):
    """Follows a key on its way up to the application; where it arrives, nobody has anything more to do with the key.

    Args:
        rounds: how often it is to be sent again, behind the messages that the key gave rise to.
    """

    def __init__(self, rounds: int) -> None:
        super().__init__()
        self.rounds = rounds


class TypeAhead(App[R]):
    """An application that waits with a key until the one before it was handled."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead: deque[events.Key] = deque()
        self._follower: KeyHandled | None = None
        self._sent_at = 0.0
        self._sent_on: Screen[object] | None = None
        self.was_used = False
        """Whether any key was pressed: whoever did knows where they are, and nothing moves their cursor unasked."""

    @property
    def has_keys_waiting(self) -> bool:
        """Whether keys were typed that nothing has been done about yet."""
        return bool(self._ahead) or self._follower is not None

    async def on_event(self, event: events.Event) -> None:
        """Let a key wait for the one before it; everything else goes its way."""
        if not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
        elif self._ahead or (self._follower is not None and monotonic() - self._sent_at < _PATIENCE):
            self._ahead.append(event)
            self._watch()
        else:
            await self._send(event)

    async def _send(self, event: events.Key) -> None:
        """Hand over a key, and a follower behind it."""
        self.was_used = True
        target = self.focused or self.screen
        self._sent_at, self._sent_on = monotonic(), self.screen
        self._follower = follower = KeyHandled(_ROUNDS - 1)
        await super().on_event(event)
        self._follow(target, follower)

    def _follow(self, target: Widget, follower: KeyHandled) -> None:
        self._follower = follower
        if not target.post_message(follower):
            self._release()
        elif self._ahead:
            self._watch()

    def on_key_handled(self, event: KeyHandled) -> None:
        """The key has gone its way."""
        event.stop()
        if event is not self._follower:
            return
        if self._ahead and event.rounds:
            self._follow(self.focused or self.screen, KeyHandled(event.rounds - 1))
        else:
            self._release()

    def _watch(self) -> None:
        """A follower is lost where its widget goes; keys that wait must not wait for it for ever."""
        follower = self._follower

        def give_up() -> None:
            if follower is self._follower:
                self._release()

        self.set_timer(_PATIENCE, give_up)

    def _release(self) -> None:
        """Let the next key go; a screen that has just come gets it once it stands and has its focus."""
        self._follower = None
        if not self._ahead:
            return
        if self.screen is not self._sent_on:
            self.screen.call_after_refresh(self.call_later, self._send_next)
        else:
            self.call_later(self._send_next)

    async def _send_next(self) -> None:
        if self._ahead and self._follower is None:
            await self._send(self._ahead.popleft())
