"""Keys that meet: the same key in several entries, and keys found inside of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.overlaps import inside_of, is_guarded_by_whole_words, is_inside_word
from lorebook_tui.lint.rule import BookRule, Context, Example, GroupRule, Option

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from lorebook_tui.lint.subjects import BookView, EntryView


class KeyInsideOther(BookRule):
    """A key that is found inside of another entry's key, with whole words off; a hint only if it is a word there.

    Why: Whenever the longer key is said, SillyTavern 1.19 finds the shorter one in it as well: both entries come in.
    Example: `ash` and another entry's `ashen tower`, whole words off.
    Do: turn whole words on for the shorter one, or leave it if both belong together.
    Source: SillyTavern 1.19.
    """

    code = "KEY006"
    name = "key-inside-other"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    options = (Option("most", 5, "so many pairs are told for each entry"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["ash"], "content": "x"}, {"key": ["ashen tower"], "content": "y"})),
        Example(
            (
                {"key": ["ash"], "matchWholeWords": False, "content": "x", "group": "g"},
                {"key": ["ashen tower"], "content": "y", "group": "g"},
            )
        ),
        Example(({"key": ["ash", "ashen"], "matchWholeWords": False, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["ash"], "matchWholeWords": False, "content": "x"}, {"key": ["ashen tower"], "content": "y"}),
            fixed=({"matchWholeWords": True}, {"matchWholeWords": None}),
        ),
        Example(
            ({"key": ["ash"], "matchWholeWords": False, "content": "x"}, {"key": ["ash tree"], "content": "y"}),
        ),
        Example(
            ({"key": ["the ash"], "matchWholeWords": True, "content": "x"}, {"key": ["the ashes"], "content": "y"}),
        ),
        Example(
            ({"key": ["пар"], "matchWholeWords": False, "content": "x"}, {"key": ["парус"], "content": "y"}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Each entry with the entries whose keys hold one of its own."""
        for overlap in inside_of(book, context.settings):
            others = overlap.others[: context.options["most"]]
            longer = ", ".join(quote(key) for key in overlap.longer[: len(others)])
            message = f"{quote(overlap.key.trimmed)} is found inside of {longer}: both entries come in."
            path = overlap.entry.path_of("key", overlap.key.place)
            inside_a_word = any(is_inside_word(overlap.key.folded, longer.lower()) for longer in overlap.longer)
            severity = None if inside_a_word else Severity.INFO
            fix = None
            if inside_a_word and is_guarded_by_whole_words(overlap.key):
                change = SetField(overlap.entry.entry.path, "matchWholeWords", value=True)
                fix = Fix("match its keys as whole words", (change,), Grade.OFFERED, alters_activation=True)
            yield self.finding(overlap.entry, message, path, others=others, severity=severity, fix=fix)


class SharedKey(GroupRule):
    """The same key in several entries that nothing keeps apart.

    Why: All of them come in together and share the budget; where one was meant instead of the other, an inclusion group
    or a filter has to choose.
    Example: two entries "The mill by day" and "The mill by night", both with the key `mill`.
    Do: put them into a group, or give them secondary keys that differ; leave it if they belong together.
    Source: SillyTavern 1.19.
    """

    code = "KEY007"
    name = "shared-key"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "x", "group": "g"}, {"key": ["mill"], "content": "y", "group": "g"})),
        Example(
            (
                {"key": ["mill"], "content": "x", "keysecondary": ["day"]},
                {"key": ["mill"], "content": "y", "keysecondary": ["night"]},
            )
        ),
        Example(({"key": ["mill"], "content": "x"}, {"key": ["mill"], "content": "y", "disable": True})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["mill"], "content": "x"}, {"key": ["Mill"], "content": "y"}),
            fixed=({"group": "same key: mill"}, {"group": "same key: mill"}),
        ),
    )

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        """Plain keys, as they are compared."""
        del context
        if not entry.is_enabled or not entry.is_keyed:
            return ()
        return {key.folded for key in entry.keys if key.is_plain}

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Entries that share it and differ in no group and no filter."""
        del context
        free = [entry for entry in members if not str(entry.get("group", "") or "").strip()]
        alike: dict[tuple[object, ...], list[EntryView]] = {}
        for entry in free:
            filters = (
                tuple(sorted(each.folded for each in entry.secondary if not each.is_blank)),
                entry.get("selectiveLogic", 0),
                repr(entry.get("characterFilter", None)),
                repr(entry.get("triggers", None)),
            )
            alike.setdefault(filters, []).append(entry)
        for entries in alike.values():
            if len(entries) < 2:  # noqa: PLR2004 - two share something
                continue
            shared = sorted(
                set.intersection(*({each.folded for each in entry.keys if each.is_plain} for entry in entries))
            )
            if shared[0] == key:  # told once, however many keys they share
                names = ", ".join(map(quote, shared[:4])) + (" and more" if len(shared) > 4 else "")  # noqa: PLR2004 - a few do
                message = f"{len(entries)} entries share {names} and come in together."
                yield self.finding(
                    entries[0], message, entries[0].path_of("key"), others=entries[1:], fix=_grouped(entries, shared[0])
                )


def _grouped(entries: Sequence[EntryView], key: str) -> Fix:
    """One of them at a time; the name tells where the group comes from, and is nobody else's."""
    name = f"same key: {key.replace(',', ' ')}"
    changes = tuple(SetField(entry.entry.path, "group", name) for entry in entries)
    return Fix("put them into one inclusion group", changes, Grade.OFFERED, alters_activation=True)
