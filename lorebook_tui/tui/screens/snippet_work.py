"""Snippets: pieces of text put where the caret stands in the text of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.tui.screens.form_work import FormWork
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToAction

if TYPE_CHECKING:
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.workspace.snippets import Snippet


class SnippetWork(FormWork):
    """The part of the workbench."""

    def action_insert_snippet(self) -> None:
        """Choose a snippet: it stands where the caret is, or in place of what is selected."""
        from lorebook_tui.tui.screens.chooser import Chooser  # noqa: PLC0415 - late, so that the screen stands sooner
        from lorebook_tui.workspace import own_templates, places  # noqa: PLC0415 - as above

        shelf = own_templates.shelf(places.config_folder())
        for problem in shelf.problems[:1]:
            self.tell_error(problem)
        by_name = {each.name: each for each in shelf.snippets}
        offers = [
            Candidate(each.name, ToAction(each.name), f"{each.description} {each.text}", section=each.group)
            for each in shelf.snippets
        ]

        def chosen(target: Target | None) -> None:
            if isinstance(target, ToAction):
                self._put_in(by_name[target.name])

        self.app.push_screen(Chooser("Put a snippet into the text", offers, self.glyphs, title_cells=18), chosen)

    def _put_in(self, snippet: Snippet) -> None:
        area = self.form.content
        if area is not None and not area.read_only:
            area.put(snippet.text, snippet.caret)
