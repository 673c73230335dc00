"""Files as they were before an edit, held as what differs from the file after it, so that a long history is cheap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.formats import text_delta, value_delta

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.formats.text_delta import Piece
    from lorebook_tui.formats.value_delta import Delta


@dataclass(frozen=True, slots=True)
class SlimDocument:
    """A document as the way back to it from a newer one."""

    pieces: tuple[Piece, ...]
    value: Delta | None
    ident: int
    has_doubled_names: bool

    def restored(self, newer: JsonDocument) -> JsonDocument:
        """The very document, to the last character; `newer` is the one it was slimmed against."""
        return newer.earlier(
            text_delta.applied(newer.text, self.pieces),
            value_delta.restored(newer.value, self.value),
            ident=self.ident,
            doubled=self.has_doubled_names,
        )


@dataclass(frozen=True, slots=True)
class SlimFile:
    """A file as the way back to it from a newer state of it."""

    shell: Loaded
    """Everything but documents, content and findings; those are the newer one's for want of others."""
    documents: tuple[int | SlimDocument | JsonDocument, ...]
    """Per document: the place of the same one in the newer file; how to make it from the newer one at the same place;
    or the document."""

    def restored(self, newer: Loaded) -> Loaded:
        """The file as it was; `newer` is the one it was slimmed against."""
        documents = []
        for place, kept in enumerate(self.documents):
            if isinstance(kept, int):
                documents.append(newer.documents[kept])
            elif isinstance(kept, SlimDocument):
                documents.append(kept.restored(newer.documents[place]))
            else:
                documents.append(kept)
        shell = replace(self.shell, documents=newer.documents, content=newer.content, report=newer.report)
        if shell.name != newer.name:  # the name of a file is that of its book
            return shell.read_anew(tuple(documents))
        return shell.with_documents(tuple(documents))


def slim_document(older: JsonDocument, newer: JsonDocument) -> SlimDocument | JsonDocument:
    """An older document against a newer one; as it is if it is what a file held, for that is kept anyway."""
    if older.is_as_read or older.first_line != newer.first_line:
        return older
    return SlimDocument(
        text_delta.delta(newer.text, older.text),
        value_delta.delta(newer.value, older.value),
        older.ident,
        older.has_doubled_names,
    )


def slim_file(older: Loaded, newer: Loaded) -> SlimFile | Loaded:
    """An older state of a file against a newer one; as it is if nothing would be won."""
    if older is newer or not older.documents or all(document.is_as_read for document in older.documents):
        return older
    known = {document.ident: place for place, document in enumerate(newer.documents)}
    documents: list[int | SlimDocument | JsonDocument] = []
    for place, document in enumerate(older.documents):
        if document.ident in known:
            documents.append(known[document.ident])
        elif place < len(newer.documents):
            documents.append(slim_document(document, newer.documents[place]))
        else:
            documents.append(document)
    shell = replace(older, documents=(), content=type(older.content)(), report=type(older.report)())
    return SlimFile(shell, tuple(documents))
