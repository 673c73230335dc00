"""Work on the form: fields of the chosen entry, its keys and its text."""

from __future__ import annotations

import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from textual import on
from textual.app import SuspendNotSupported

from lorebook_tui.errors import LorebookError
from lorebook_tui.tokens import registry as tokens
from lorebook_tui.tui.actions import Scope
from lorebook_tui.tui.screens.arranged import ENTRY
from lorebook_tui.tui.screens.editing import Editing
from lorebook_tui.tui.targets import ToField, ToItem
from lorebook_tui.tui.views.form_state import CONTENT, NEW, Subject
from lorebook_tui.tui.views.form_values import change_words, same_json
from lorebook_tui.tui.widgets.form import EntryForm
from lorebook_tui.tui.widgets.form_facts import EntryJudged, KeyTold

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from textual.screen import Screen

    from lorebook_tui.engine.key_owners import KeyOwners
    from lorebook_tui.model.js import Json
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.tui.widgets.form_text import ContentArea
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.workspace import Workspace

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_FOLDED: Final = "closed_groups"
"""Under which name the closed groups are remembered."""
_FULL = 2
"""The size mode in which a pane has the whole screen."""


class FormWork(Editing):
    """The part of the workbench."""

    _judged: EntryJudged | None = None
    _asked: tuple[object, ...] = ()
    """What the newest judgement was asked about."""
    _size_before: int | None = None
    """The size mode before the text had the screen alone; None: it has not."""

    def scene_is_ready(self, scene: Scene) -> None:
        """The groups are closed that were closed at the last run."""
        super().scene_is_ready(scene)
        memory: Any = getattr(self.app, "memory", None)
        closed = memory.others.get(_FOLDED) if memory is not None else None
        if isinstance(closed, list):
            self.form.look.folded = frozenset(name for name in closed if isinstance(name, str))

    def action_remember_folds(self) -> None:
        """Keep which groups are closed for the next run."""
        remember: Any = getattr(self.app, "remember", None)
        memory: Any = getattr(self.app, "memory", None)
        if remember is not None and memory is not None:
            remember(others={**memory.others, _FOLDED: sorted(self.form.look.folded)})

    # Showing

    def show_form(self, ref: EntryRef) -> None:
        """The chosen entry, or those that are marked, in the form."""
        scene = self.scene
        if scene is None:
            return
        refs = self.form_refs(ref)
        form, entry = self.form, scene.entry(ref)
        form.commit = self.take_fields
        form.look.glyphs = self.glyphs
        key: tuple[object, ...] = (ref.layer, ref.book, entry.key) if len(refs) == 1 else refs
        judged = self._judged if self._judged is not None and self._judged.key == key else None
        subject = Subject(
            tuple(scene.entry(each) for each in refs),
            scene.book(ref.layer, ref.book).name,
            ref.layer.value.capitalize(),
            scene.scenario.settings,
            scene.scenario.engine,
            self.explanation,
            judged.tokens if judged else None,
            self.picture.turn.budget if self.picture else None,
            self.replay.approximate if self.replay else True,
            judged.hits if judged else _NOTHING,
            judged.owners if judged else _NOTHING,
        )
        form.show(subject, key)
        if form.is_hidden:
            return
        if form.content is not None:
            form.content.read_only = self.desk is None
            if judged is not None:
                form.content.set_waking(judged.waking)
        self._judge(ref, key)

    def action_judge_entry(self) -> None:
        """The form came into sight: find out what was not asked for before."""
        if self.chosen is not None:
            self.show_form(self.chosen)

    def form_refs(self, chosen: EntryRef) -> tuple[EntryRef, ...]:
        """What the form edits: the marked entries together, the chosen one first; else the chosen one."""
        marked = self.layer_tree.marked
        if len(marked) < 2:  # noqa: PLR2004 - together
            return (chosen,)
        return (chosen, *(ref for ref in marked if ref != chosen)) if chosen in marked else tuple(marked)

    def _judge(self, ref: EntryRef, key: object) -> None:
        """Find out what the text costs and would wake, and where the keys are; not again for the same."""
        scene, picture = self.scene, self.picture
        counter = self.counter or tokens.counter("estimate")
        if scene is None:
            return
        asked = (scene.entry(ref), picture.replay if picture else None, counter)
        if self._asked and self._asked[0] == key and all(a is b for a, b in zip(self._asked[1:], asked, strict=True)):
            return
        self._asked = (key, *asked)
        from lorebook_tui.tui.widgets.form_judging import judge  # noqa: PLC0415 - late, so that the screen stands sooner

        entry = scene.entry(ref)

        def job() -> None:
            self.post_message(judge(key, entry, ref, counter=counter, picture=picture, owners=self._key_owners(scene)))

        self.work("form", job)

    def _key_owners(self, scene: Scene) -> KeyOwners:
        """Who has which key. For workers."""
        with self._owners_lock:
            if self._owners is None:
                from lorebook_tui.engine.key_owners import KeyOwners  # noqa: PLC0415 - only once keys are looked at

                self._owners = KeyOwners()
            self._owners.update(scene.layers)
            return self._owners

    _owners: KeyOwners | None = None
    _owners_lock = threading.Lock()

    @on(EntryJudged)
    def _entry_judged(self, event: EntryJudged) -> None:
        if event.key == self.form.key:
            self._judged = event
            if self.chosen is not None:
                self.show_form(self.chosen)

    # Editing

    def take_fields(
        self, changes: Sequence[tuple[str, Json]], *, group: Hashable | None = None, told: str = ""
    ) -> bool:
        """Change fields of what the form shows; whether it was done.

        Args:
            changes: name and value of each; `MISSING` removes a field.
            group: changes of an equal group in quick succession are undone together.
            told: what is done, in words; "": the names of the fields.
        """
        scene, chosen = self.scene, self.chosen
        if scene is None or chosen is None:
            return False
        from lorebook_tui.workspace.edits import FieldChange, set_fields  # noqa: PLC0415 - late, so that the screen stands sooner

        refs = self.form_refs(chosen)
        listed = [
            FieldChange(ref, name, value)
            for ref in refs
            for name, value in changes
            if not same_json(scene.entry(ref).get(name), value)
        ]
        if not listed:
            return True

        def make(workspace: Workspace) -> Edited:
            return set_fields(workspace, listed, told)

        self.has_chosen = True
        done = self.edit(make, group=group)
        if done and len(refs) > 1:
            count = len({change.ref for change in listed})
            self.tell(
                f"Set in {count} of {len(refs)} entries: {', '.join(change_words(*change) for change in changes)}."
            )
        if done and any(name == CONTENT for name, _ in changes):
            self.simulate_soon(at_once=True)
        return done

    def flush_form(self) -> None:
        """Take what is half-typed in the form, or keep it as a draft; before anything else is done with the books."""
        self.form.flush()

    @property
    def half_typed(self) -> tuple[str, ...]:
        """The drafts of all entries."""
        return tuple(text for drafts in self.form.drafts.values() for text in drafts.values())

    def open_field(self, name: str) -> None:
        """Go to a field of the form."""
        if self.chosen is None:
            return
        self.bring_form()
        self.form.go_to_field(name)

    def bring_form(self) -> None:
        """The form in sight, with what is chosen in it."""
        self.go_to_pane(ENTRY)
        self.form.catch_up()

    # What the form leaves to the workbench

    @on(EntryForm.Asked)
    def _form_asked(self, event: EntryForm.Asked) -> None:
        event.stop()
        if event.what == "choice":
            self._ask_choice(event.name)
        elif event.what == "preview":
            self._preview_key(event.name)
        else:
            getattr(self, f"action_{event.what}")()

    def on_content_area_asked(self, event: ContentArea.Asked) -> None:
        """A key of the text area."""
        event.stop()
        getattr(self, f"action_{event.what}")()

    def _ask_choice(self, name: str) -> None:
        """The choices of a field as a list."""
        from lorebook_tui.model.fields import field_named  # noqa: PLC0415 - late, so that the screen stands sooner
        from lorebook_tui.tui.screens.chooser import Chooser  # noqa: PLC0415 - as above
        from lorebook_tui.tui.search import Candidate  # noqa: PLC0415 - as above

        row, subject = field_named(name), self.form.subject
        if row is None or subject is None:
            return
        value = subject.value(name)
        offers = [
            Candidate(choice.label, ToItem(name, number), choice.help, "•" if _has(value, choice.value) else "")
            for number, choice in enumerate(row.choices)
        ]
        current = next((number for number, choice in enumerate(row.choices) if _has(value, choice.value)), 0)
        dialog: Screen[Target | None] = Chooser(
            row.label or row.name, offers, self.glyphs, key_cells=2, title_cells=18, cursor=ToItem(name, current)
        )
        self.app.push_screen(dialog, self._choice_made)

    def _choice_made(self, target: Target | None) -> None:
        from lorebook_tui.model.fields import field_named  # noqa: PLC0415 - late, so that the screen stands sooner

        subject = self.form.subject
        row = field_named(target.name) if isinstance(target, ToItem) else None
        if not isinstance(target, ToItem) or row is None or subject is None:
            return
        value, choice = subject.value(row.name), row.choices[target.item].value
        if "strings" in row.types:
            listed = value if isinstance(value, list) else []
            value = [item for item in listed if item != choice] if choice in listed else [*listed, choice]
            self.take_fields([(row.name, value)])
        else:
            self.take_fields([(row.name, choice)])

    def _preview_key(self, text: str) -> None:
        """Find out about a key that is being typed."""
        ref, scene, picture, place = self.chosen, self.scene, self.picture, self.form.look.editing
        if ref is None or scene is None or place is None:
            return
        from lorebook_tui.tui.widgets.form_judging import told_while_typing  # noqa: PLC0415 - late, so that the screen stands sooner

        entry, name, is_new = scene.entry(ref), place.name, place.item == NEW

        def job() -> None:
            owners = self._key_owners(scene)
            with self._owners_lock:
                told = told_while_typing(
                    text, name, entry, ref,
                    picture=picture, owners=owners, settings=scene.scenario.settings, is_new=is_new,
                )  # fmt: skip
            self.post_message(KeyTold(text, told))

        self.work("form-key", job)

    @on(KeyTold)
    def _key_told(self, event: KeyTold) -> None:
        form = self.form
        if form.look.editing is not None and form.line.value == event.text and form.refusal is None:
            form.news = event.told
            form.tell_help()

    # The text

    def action_write_text(self) -> None:
        """Write in the text of the chosen entry."""
        self.bring_form()
        self.form.write()

    def action_leave_text(self) -> None:
        """From the text to the fields."""
        self._leave_full_text()
        self.give_focus(self.form.rows)
        self.form.rows.point_at(ToField(CONTENT))

    def action_full_text(self) -> None:
        """The text alone on the screen, and back."""
        if self._size_before is not None:
            self._leave_full_text()
            return
        self.action_write_text()
        self._size_before, self.size_mode = self.size_mode, _FULL
        self.form.is_full = True
        self.settle_panes()
        self.form.fit()

    def _leave_full_text(self) -> None:
        if self._size_before is not None:
            self.size_mode, self._size_before = self._size_before, None
            self.form.is_full = False
            self.settle_panes()
            self.form.fit()

    def action_edit_outside(self) -> None:
        """The text in the user's own editor; what comes back is one edit, which the text area can undo."""
        from lorebook_tui.workspace.text_editor import edit_text  # noqa: PLC0415 - late, so that the screen stands sooner

        self.bring_form()
        subject, area = self.form.subject, self.form.content
        if subject is None or subject.is_many or area is None:
            self.tell("One text at a time: choose a single entry.")
            return
        self.flush_form()
        try:
            outcome = edit_text(area.value, self.app.suspend)
        except SuspendNotSupported:
            self.tell("This screen cannot make room for another program. Write in the text itself.", severity="warning")
            return
        except LorebookError as error:
            self.tell_error(error)
            return
        if outcome.text is not None and outcome.text != area.value:
            area.replace_all(outcome.text)
            self.form.take_text()
        self.tell(outcome.told)

    # Keys in force

    @property
    def typing_scope(self) -> Scope | None:
        """The scope of what is being typed into; None: nothing is."""
        if self.focused is None:
            return None
        return {"content": Scope.WRITING, "form-line": Scope.FIELD}.get(self.focused.id or "")

    @property
    def scope_of_focus(self) -> Scope:
        """The scope whose keys work now."""
        return self.typing_scope or super().scope_of_focus

    @property
    def footer_scope(self) -> Scope:
        """The scope whose keys the footer shows."""
        return self.typing_scope or super().footer_scope

    def on_descendant_focus(self) -> None:
        """The footer follows the focus into the text and out of it."""
        self.tell_keys()


def _has(value: Any, choice: Json) -> bool:
    return any(same_json(item, choice) for item in value) if isinstance(value, list) else same_json(value, choice)
