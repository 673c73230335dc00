"""Which other entries have a key, over all books, however many there are."""

from __future__ import annotations

from lorebook_tui.engine.key_owners import KeyOwners, Likeness
from lorebook_tui.model.book import Book
from lorebook_tui.model.layers import EntryRef, Layer, Layers
from tests.unit.engine.lore import book, entry

FIRST = book(entry(0, "bell", "old bell tower"), entry(1, "Bell"), entry(2, "doorbell", "колокол", "/bell/i", "b"))
SECOND = book(entry(0, "bell", disable=True), entry(1, "暗影森林"), name="other")
LAYERS = Layers(global_=(FIRST,), chat=(SECOND,))


def found(owners: KeyOwners, key: str, apart_from: EntryRef | None = None) -> list[tuple[str, int, str, str]]:
    return [
        (owner.ref.layer.value, owner.ref.entry, owner.key, owner.likeness.name)
        for owner in owners.also(key, apart_from)
    ]


def test_same_folded_within_and_around() -> None:
    owners = KeyOwners(LAYERS)
    assert found(owners, " bell ") == [
        ("global", 0, "bell", "SAME"), ("chat", 0, "bell", "SAME"), ("global", 1, "Bell", "FOLDED"),
    ]  # fmt: skip
    assert found(owners, "Bell tower") == [
        ("global", 0, "old bell tower", "WITHIN"), ("global", 1, "Bell", "AROUND"), ("chat", 0, "bell", "AROUND"),
    ]  # fmt: skip
    assert found(owners, "森林") == [("chat", 1, "暗影森林", "WITHIN")]
    assert found(owners, "old") == [("global", 0, "old bell tower", "WITHIN")]
    assert found(owners, "door") == []
    assert found(owners, "/BELL/i") == [("global", 2, "/bell/i", "FOLDED")]
    assert found(owners, "b") == [("global", 2, "b", "SAME")]
    assert found(owners, "  ") == []


def test_the_entry_itself_does_not_count() -> None:
    owners = KeyOwners(LAYERS)
    assert found(owners, "bell", EntryRef(Layer.GLOBAL, 0, 0))[0] == ("chat", 0, "bell", "SAME")
    assert found(owners, "колокол", EntryRef(Layer.GLOBAL, 0, 2)) == []
    assert len(found(owners, "колокол", EntryRef(Layer.GLOBAL, 0, 99))) == 1
    assert len(found(owners, "колокол", EntryRef(Layer.PERSONA, 0, 0))) == 1


def test_the_number_of_answers_has_a_limit() -> None:
    owners = KeyOwners(Layers(global_=(book(*(entry(n, "bell") for n in range(50))),)))
    assert len(owners.also("bell")) == 20
    assert [owner.likeness for owner in owners.also("bell", most=1)] == [Likeness.SAME]


def test_edits_are_followed() -> None:
    owners = KeyOwners(LAYERS)
    moved = Book("lore", (entry(9, "mill"), *FIRST.entries[1:]))
    owners.update(Layers(global_=(moved,), chat=(SECOND, FIRST)))
    assert found(owners, "mill") == [("global", 0, "mill", "SAME")]
    assert found(owners, "old bell tower")[0] == ("chat", 0, "old bell tower", "SAME")
    owners.update(Layers(global_=(moved,)))
    assert found(owners, "old bell tower") == [("global", 1, "Bell", "AROUND")]
    owners.update(Layers())
    assert found(owners, "mill") == []
    assert not owners._owners
    assert not owners._uses
    owners.update(LAYERS)
    assert len(found(owners, "bell")) == 3


def test_a_book_in_two_layers_counts_once() -> None:
    owners = KeyOwners(Layers(global_=(FIRST,), persona=(FIRST,)))
    assert [layer for layer, *_ in found(owners, "колокол")] == ["global"]
    owners.update(Layers(persona=(FIRST,)))
    assert [layer for layer, *_ in found(owners, "колокол")] == ["persona"]


def test_one_changed_entry_of_five_thousand_is_known_afterwards() -> None:
    entries = [entry(n, f"word{n}", f"Name{n} of place{n % 97}", f"ключ{n}") for n in range(5_000)]
    owners = KeyOwners(Layers(global_=(book(*entries),)))
    assert [owner.key for owner in owners.also("Name77 of place77")] == ["Name77 of place77"]
    owners.update(Layers(global_=(book(*entries[:-1], entry(0, "new")),)))
    assert [owner.key for owner in owners.also("new")] == ["new"]
