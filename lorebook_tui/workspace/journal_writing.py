"""What has to be added to the journal so that it says what is unsaved now: deltas against what it says already."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.formats import detect, text_delta
from lorebook_tui.formats.lines import LinesContainer
from lorebook_tui.workspace.journal_log import Record, pieces_packed
from lorebook_tui.workspace.store import stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Container, Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.journal import Unsaved

_FROM_BASE_EACH: Final = 256
"""After so many edits of a file one is told from its base, so that a recovery need not go through all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    """What the journal says about a file."""

    about: Mapping[str, Any]
    """Where it is to be saved, and how it is to be loaded."""
    clean: Loaded | None
    start: Loaded
    """What the first record holds."""
    documents: tuple[JsonDocument, ...]
    """As last told."""
    packed: str = ""
    """The file's bytes, as last told, as Latin-1; "" as long as it is told document by document."""
    edits: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """Records to add, and what the journal says with them."""

    records: tuple[Record, ...]
    after: Writing


@dataclass(frozen=True, slots=True)
class Writing:
    """What the journal says so far."""

    files: Mapping[str, _Written] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def planned(self, files: Iterable[Unsaved], values: Mapping[str, Json]) -> Plan:
        """What is to be added."""
        records: list[Record] = []
        written: dict[str, _Written] = {}
        for unsaved in files:
            before = self.files.get(unsaved.key)
            if before is None or not _goes_on(before, unsaved):
                record, before = _begun(unsaved)
                records.append(record)
            record_or_none, written[unsaved.key] = _edited(before, unsaved)
            records += [record_or_none] if record_or_none is not None else []
        records += [Record({"kind": "drop", "key": key}) for key in self.files if key not in written]
        texts = {name: json.dumps(value, separators=(",", ":")) for name, value in values.items()}
        for name, text in texts.items():
            if text != self.values.get(name):
                pieces = text_delta.delta(self.values.get(name, ""), text)
                records.append(Record({"kind": "value", "name": name}, _body(pieces_packed(pieces))))
        records += [Record({"kind": "forget", "name": name}) for name in self.values if name not in texts]
        return Plan(tuple(records), Writing(written, texts))


def _about(unsaved: Unsaved) -> dict[str, Any]:
    loaded = unsaved.loaded
    return {
        "key": unsaved.key,
        "path": str(unsaved.path),
        "disk": str(unsaved.disk_path or unsaved.path),
        "name": loaded.name,
        "user": loaded.user,
        "strict": loaded.strict,
    }


def _goes_on(before: _Written, unsaved: Unsaved) -> bool:
    """Whether the journal's base of the file is still the right one."""
    if before.about != _about(unsaved) or (before.clean is None) != (unsaved.clean is None):
        return False
    return before.clean is None or unsaved.clean is None or _is_same(before.clean, unsaved.clean)


def _is_same(one: Loaded, other: Loaded) -> bool:
    return one.container is other.container and [document.ident for document in one.documents] == [
        document.ident for document in other.documents
    ]


def _begun(unsaved: Unsaved) -> tuple[Record, _Written]:
    """The record that holds the file as it was read; of a file that never was on the disk, as it is first seen."""
    start = unsaved.clean or unsaved.loaded
    data = detect.dump(start)
    about = _about(unsaved)
    stamp = stamp_of(data)
    told = {"kind": "file", **about, "new": unsaved.clean is None, "size": stamp.size, "sha256": stamp.sha256}
    return Record(told, data), _Written(about, unsaved.clean, start, start.documents)


def _edited(before: _Written, unsaved: Unsaved) -> tuple[Record | None, _Written]:
    """The record of what changed since the journal last told of the file; None if nothing did."""
    loaded = unsaved.loaded
    if before.packed or not _is_told_by_documents(before.start, loaded):
        return _edited_bytes(before, loaded, unsaved.key)
    idents = [document.ident for document in before.documents]
    if [document.ident for document in loaded.documents] == idents:
        return None, before
    is_from_base = before.edits + 1 >= _FROM_BASE_EACH
    old = before.start.documents if is_from_base else before.documents
    pieces = {
        place: pieces_packed(text_delta.delta(was.text, now.text))
        for place, (was, now) in enumerate(zip(old, loaded.documents, strict=True))
        if was.ident != now.ident
    }
    told = {"kind": "edit", "key": unsaved.key, "how": "documents", "from": "base" if is_from_base else "last"}
    lengths = {place: len(loaded.documents[place].text) for place in pieces}
    edits = 0 if is_from_base else before.edits + 1
    return Record({**told, "lengths": lengths}, _body(pieces)), replace(before, documents=loaded.documents, edits=edits)


def _edited_bytes(before: _Written, loaded: Loaded, key: str) -> tuple[Record | None, _Written]:
    """The same for a file whose wrapping changed, such as a chat that grew: told byte by byte."""
    if not before.packed and _is_same(before.start, loaded):
        return None, before
    now = detect.dump(loaded).decode("latin-1")
    last = before.packed or detect.dump(before.start).decode("latin-1")
    if now == last:
        return None, before
    told = {"kind": "edit", "key": key, "how": "bytes", "from": "last", "lengths": {"0": len(now)}}
    pieces = {"0": pieces_packed(text_delta.delta(last, now))}
    return Record(told, _body(pieces)), replace(before, documents=loaded.documents, packed=now)


def _is_told_by_documents(start: Loaded, loaded: Loaded) -> bool:
    """Whether what is around the documents stays as it is, and loading finds the same documents again."""
    if len(start.documents) != len(loaded.documents) or not start.documents:
        return False
    if _is_bare(start.container) and _is_bare(loaded.container):
        one, other = start.document.encoding, loaded.document.encoding
        return (one.codec, one.mark) == (other.codec, other.mark)
    is_readable = len(start.documents) == 1 or isinstance(start.container, LinesContainer)
    return is_readable and start.container is loaded.container


def _is_bare(container: Container) -> bool:
    return container.kind == "json"


def _body(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
