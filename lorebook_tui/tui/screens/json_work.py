"""The whole entry as JSON: opened over the form, and what is put aside kept for each entry."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.tui.screens.form_work import FormWork

if TYPE_CHECKING:
    from lorebook_tui.model.js import Json
    from lorebook_tui.tui.views.form_json import JsonDraft


class JsonWork(FormWork):
    """The part of the workbench."""

    @cached_property
    def _json_drafts(self) -> dict[object, JsonDraft]:
        return {}

    @property
    def half_typed(self) -> tuple[str, ...]:
        """The drafts of all entries, those of their JSON with them."""
        return (*super().half_typed, *(draft.text for draft in self._json_drafts.values()))

    def action_raw_json(self) -> None:
        """The whole entry as JSON."""
        from lorebook_tui.tui.widgets.form_json import JsonScreen  # noqa: PLC0415 - late, so that the screen stands sooner

        self.bring_form()
        if self.form.subject is not None and not self.form.subject.is_many:
            self.flush_form()
        subject, key = self.form.subject, self.form.key
        if subject is None or subject.is_many:
            self.tell("JSON is edited one entry at a time.")
            return

        def left(draft: JsonDraft | None) -> None:
            self._json_drafts.pop(key, None)
            if draft is not None:
                self._json_drafts[key] = draft
                self.tell("The entry is as it was; what you typed is offered again.")

        def take(changes: list[tuple[str, Json]]) -> bool:
            return self.take_fields(changes, told=f"edit the JSON of {quote(subject.entry.title)}")

        self.app.push_screen(JsonScreen(subject.entry, self.glyphs, take, self._json_drafts.get(key)), left)
