"""What would change a verdict, as edits that one key applies: the engine's proposals told in fields and settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.remedies.changes import MAX_CONTEXT, NOTE_INTERVAL, EntryChange
from lorebook_tui.errors import UsageError
from lorebook_tui.workspace.edits import Edited, FieldChange, set_fields

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.remedies import Margin, Proposal
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.workspace import Workspace

_NOT_OPEN = "An entry that it changes is not among the books on the screen."
_TO_WRITE = "What the text says is for its author to decide."


@dataclass(frozen=True, slots=True)
class SettingEdit:
    """Another value of a setting: a scan setting under SillyTavern's name, `max_context` or `note_interval`."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Offer:
    """One proposal, ready to be applied."""

    sentence: str
    """What would happen. May quote foreign text."""
    fields: tuple[FieldChange, ...] = ()
    """Values of entries, by where they stand in the workspace that was simulated."""
    settings: tuple[SettingEdit, ...] = ()
    why_not: str = ""
    """Why it cannot be applied with one key; "": it can."""
    is_example: bool = False
    """A new value in it is one of many that would do."""

    @property
    def can_apply(self) -> bool:
        """Whether `make` makes an edit."""
        return not self.why_not

    def make(self, workspace: Workspace) -> Edited:
        """The workspace with all changes made, as one edit.

        Args:
            workspace: the one that was simulated, or another in which the same entries stand at the same places.

        Raises:
            UsageError: it cannot be applied; says why.
        """
        if self.why_not:
            raise UsageError(self.why_not, hint="Open the entry and change it by hand.")
        edited = set_fields(workspace, self.fields) if self.fields else Edited(workspace, "")
        changed = _with_settings(edited.workspace, self.settings)
        told = [edited.told] if edited.told else []
        told += [f"set {edit.name} to {edit.value}" for edit in self.settings]
        return Edited(changed, " and ".join(told), edited.focus)


@dataclass(frozen=True, slots=True)
class Remedies:
    """What would change a verdict, in words. Sentences may quote foreign text."""

    heading: str
    sentences: tuple[str, ...]
    offers: tuple[Offer, ...] = ()
    """For an entry that is out, one for each sentence."""
    margin: Margin | None = None
    """For an entry that is in."""


def _with_settings(workspace: Workspace, edits: tuple[SettingEdit, ...]) -> Workspace:
    scan: dict[str, Any] = {}
    for edit in edits:
        if edit.name == MAX_CONTEXT:
            workspace = replace(workspace, context=edit.value)
        elif edit.name == NOTE_INTERVAL:
            workspace = replace(workspace, note=replace(workspace.note, interval=edit.value))
        else:
            scan[edit.name] = edit.value
    return replace(workspace, settings=workspace.settings.with_values(scan)) if scan else workspace


def offer_of(proposal: Proposal, ref_of: Callable[[int], EntryRef | None]) -> Offer:
    """A proposal as an edit.

    Args:
        proposal: of the turn that is shown.
        ref_of: where the entry with a load index of that turn stands.
    """
    fields: list[FieldChange] = []
    settings: list[SettingEdit] = []
    why_not = ""
    for change in proposal.changes:
        if not isinstance(change, EntryChange):
            settings.append(SettingEdit(change.name, change.new))
            continue
        ref = ref_of(change.index)
        if ref is None:
            why_not = _NOT_OPEN
        else:
            fields.append(FieldChange(ref, change.field, change.new))
        if proposal.is_example and change.field == "content":
            why_not = why_not or _TO_WRITE
    return Offer(proposal.sentence, tuple(fields), tuple(settings), why_not, proposal.is_example)
