"""The entry as JSON, to be edited whole: checked when it is taken, kept when it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical

from lorebook_tui.errors import UsageError
from lorebook_tui.tui.actions import Scope, bindings, footer
from lorebook_tui.tui.ink import Paragraph, Span
from lorebook_tui.tui.screens.dialog import Dialog
from lorebook_tui.tui.views.form_json import JsonDraft, changes_to, fields_in, json_of, resumed
from lorebook_tui.tui.widgets.edges import KeyLine, OneLine
from lorebook_tui.tui.widgets.form_text import PlainArea

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.tui.widgets.line_view import LineView

_ABOUT = "ctrl+r checks it and makes the entry so; escape leaves the entry as it is."
_KEPT = "This is what you had typed. f5 begins anew. "
_MOST_NAMES = 4


class JsonScreen(Dialog[JsonDraft | None]):
    """A text area with the entry's fields. Its result is what was put aside; None if it was taken.

    Args:
        entry: as it stands.
        glyphs: signs or letters.
        take: makes the changes; whether they were made.
        draft: what was put aside before; None: the entry's own JSON.
    """

    BINDINGS: ClassVar[list[BindingType]] = list(bindings(Scope.JSON))
    AUTO_FOCUS = "#json-text"

    def __init__(
        self,
        entry: Entry,
        glyphs: Glyphs,
        take: Callable[[list[tuple[str, Json]]], bool],
        draft: JsonDraft | None = None,
    ) -> None:
        super().__init__()
        self.entry = entry
        self.glyphs = glyphs
        self.take = take
        self.draft = draft

    def compose(self) -> ComposeResult:
        """Text, what is wrong with it, keys."""
        with Vertical(id="json-dialog"):
            yield PlainArea(id="json-text")
            yield OneLine(id="json-told")
            yield KeyLine(id="json-keys")

    def on_mount(self) -> None:
        """The text as it was left, or as the entry is."""
        self.query_one("#json-dialog").border_title = "Raw JSON"
        self.query_one(KeyLine).tell(footer(Scope.JSON), self.glyphs)
        if self.draft is None:
            self.action_renew_json()
        else:
            self._go_on(self.draft)

    def _go_on(self, draft: JsonDraft) -> None:
        """With what was put aside, in the entry as it is now."""
        found = resumed(draft, self.entry)
        self.area.load(found.text)
        names = _listed(found.changed)
        if found.is_outdated:
            self.tell(f"{_KEPT}The entry was changed since ({names}): taking this would undo that.", "cut")
        elif found.both:
            self.tell(
                f"{_KEPT}The entry was changed since ({names}); of {_listed(found.both)} yours stands here.", "near"
            )
        elif found.changed:
            self.tell(f"{_KEPT}The entry was changed since ({names}): that is in it.")
        else:
            self.tell(_KEPT + _ABOUT if found.text != json_of(self.entry) else _ABOUT)

    @property
    def area(self) -> PlainArea:
        """The text."""
        return self.query_one(PlainArea)

    def tell(self, text: str, ink: str = "muted") -> None:
        """Say something under the text."""
        self.query_one("#json-told", OneLine).show([Paragraph((Span(text, ink),), most=2)])

    def action_accept_json(self) -> None:
        """Check it; say where it is wrong, or make the changes and close."""
        try:
            changes = changes_to(self.entry, fields_in(self.area.value))
        except UsageError as error:
            self.tell(error.message, "cut")
            return
        if not changes or self.take(changes):
            self.dismiss(None)

    def action_renew_json(self) -> None:
        """The entry's own JSON."""
        self.area.load(json_of(self.entry))
        self.tell(_ABOUT)

    def action_close_json(self) -> None:
        """Leave the entry as it is."""
        text = self.area.value
        self.dismiss(None if text == json_of(self.entry) else JsonDraft(text, self.entry.fields))

    async def on_line_view_chosen(self, event: LineView.Chosen) -> None:
        """A click on a key in the footer does what the key does."""
        event.stop()
        name = getattr(event.target, "name", "").rpartition(".")[2]
        if name:
            await self.run_action(name)


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
