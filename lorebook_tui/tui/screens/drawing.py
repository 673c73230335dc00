"""What the panes show of the state: the newest picture, the chosen entry, the wanted turn."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from lorebook_tui.glyphs import Mark, kind_of
from lorebook_tui.tui.ink import Paragraph, Row, Span
from lorebook_tui.tui.screens.simulating import Simulating
from lorebook_tui.tui.views.chat import Look, own_hits
from lorebook_tui.tui.views.status import Status
from lorebook_tui.tui.views.why import why_blocks
from lorebook_tui.tui.widgets.edges import Breadcrumb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Prospect


class Drawing(Simulating):
    """Draws; changes nothing of what is drawn."""

    news: Line = ()
    """What the last edit changed, for a while."""
    is_unsaved: bool = False
    """Whether a book has changes that are not saved."""
    prospects: Mapping[int, Prospect] = MappingProxyType({})
    """Odds and margins at the shown turn by load index, as far as they are known."""

    def show_turn(self) -> None:
        """All panes anew."""
        self.show_status()
        self.show_marks()
        self.show_chat()
        self.show_phases()
        self.show_timeline()
        self.show_entry()

    def show_status(self) -> None:
        """The breadcrumb."""
        if self.scene is None:
            return
        scenario, replay = self.scene.scenario, self.replay
        numbers = scenario.random.numbers
        status = Status(
            workspace=self.scene.title,
            chat=scenario.transcript.name,
            turn=self.picture.turn if self.picture is not None and self.is_fresh else None,
            upto=replay.steps[self.turn].upto if replay else 0,
            messages=len(scenario.transcript),
            replayed=(len(replay.turns), len(replay.steps)) if replay else (0, 0),
            engine=scenario.engine,
            seed=str(scenario.random.seed) if numbers is None else f"{len(numbers)} numbers",
            context=scenario.max_context,
            tokenizer=scenario.tokenizer,
            approximate=replay.approximate if replay else True,
            note=self.trouble,
            news=self.news,
            unsaved=self.is_unsaved,
        )
        self.query_one(Breadcrumb).tell(status, self.glyphs)

    def show_marks(self) -> None:
        """The marks of the tree."""
        self.layer_tree.set_marks(self.marks())

    def marks(self) -> dict[EntryRef, Mark]:
        """The marks of all entries that have one at the shown turn."""
        picture = self.picture
        if picture is None:
            return {}
        marks = dict(picture.turn.marks)
        marks.update(dict.fromkeys(self.near, Mark.NEAR))
        found = ((self.ref_of(index), mark) for index, mark in marks.items())
        return {ref: mark for ref, mark in found if ref is not None}

    def show_chat(self) -> None:
        """The transcript with the hits of this turn."""
        if self.scene is None or self.replay is None:
            return
        upto = self.replay.steps[self.turn].upto if self.replay.steps else 0
        picture = self.picture if self.is_fresh else None
        look = Look(self.scene, picture, upto, self.index_of(self.chosen), self.glyphs)
        self.chat.show_turn(look, follow=self.follow)
        if picture is not None:
            self.follow = False

    def show_entry(self) -> None:
        """Form and reason of the chosen entry."""
        ref, scene = self.chosen, self.scene
        if ref is None or scene is None:
            if scene is not None and not any(True for _ in scene.refs()):
                self.form.show_nothing()
                self.why.show([])
            return
        self.show_form(ref)
        if self.picture is not None:
            self.chat.highlight(self.index_of(ref), own_hits(self.explanation, self.picture.assembly))
        self.show_reason()

    def show_reason(self) -> None:
        """Why the chosen entry is in or out."""
        ref, scene = self.chosen, self.scene
        if ref is None or scene is None:
            return
        entry, index = scene.entry(ref), self.index_of(ref)
        kind = kind_of(entry)
        title = (Span(f"{self.glyphs.kind(kind)} ", kind.ink), Span(entry.title, "title"))
        reason = self._reason(index)
        if reason is not None:
            self.why.show([Row(title, (Span(ref.layer.value.capitalize(), "faint"),)), *reason])

    def show_form(self, ref: EntryRef) -> None:
        """The chosen entry, or those that are marked, in the form."""
        raise NotImplementedError

    def _reason(self, index: int | None) -> list[Block] | None:
        """Why the entry is in or out; None while that is being worked out, so that what is shown stays."""
        if self.explanation is not None and self.picture is not None:
            assembly, prospect = self.picture.assembly, self._prospect(index)
            return why_blocks(
                self.explanation, assembly, self.ref_of, self.glyphs, remedies=self.remedies, prospect=prospect
            )
        if index is None and self.picture is not None:
            text = self.picture.assembly.plan.load_error
            text = text or "Not loaded: another layer holds a book of this name already, and it is used once."
            return [Paragraph((Span(text, "muted"),))]
        return None

    def _prospect(self, index: int | None) -> Prospect | None:
        """Odds and margin of an entry, if they are known."""
        return self.prospects.get(index) if index is not None else None
