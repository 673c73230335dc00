"""Random worlds: books that mean something, and books that only happen to be JSON."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lorebook_tui.model.book import Book
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, DepthPrompt, Group, InjectedPrompt, Persona
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import ENTRY_FIELDS, template
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import TRIGGERS, ForcedEntry, RandomSource, Scenario, Step
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript

WORDS = [
    "cat",
    "cats",
    "Cat",
    "dog",
    "кот",
    "Кота",
    "京",
    "東京",
    "İstanbul",
    "naïve",
    "ΣΟΦΟΣ",
    "straße",
    "😀",
    "x_y",
    "don't",
    "a",
]
MACROS = [
    "{{char}}", "{{user}}", "<USER>", "{{getvar::v}}", "{{setvar::v::cat}}", "{{roll:2}}", "{{random::cat::dog}}", "{{noop}}",
    "{{pick::cat::dog}}", "{{unknown}}", "\\{", "{{", "}}", "{{trim}}", "{{outlet::x}}",
]  # fmt: skip
PATTERNS = [
    "/c.t/", "/CAT/i", "/dog|cat/", "/^\\x01cat/", "/cat[^]*dog/", "/\\bкот/", "/x*/", "/[/", "/a/b/", "/кот(а|ом)?/iu", "/\\x01/", "/cat{2}/",
    "/cats?\\n/m", "/(?!cat)dog/", "/cat/gg", "//",
]  # fmt: skip
ODD_PIECES = [
    "\x01",
    "\n",
    "\n\x01",
    "\ud83d",
    "\ude00",
    "\x00",
    "\u202e",
    "\x1b[31m",
    "\u2028",
    " ",
    "\u00a0",
    "",
    "@@activate",
    "@@@x",
    ",",
    "\\",
    "/",
]

words = st.sampled_from(WORDS)
odd_texts = st.lists(st.sampled_from([*WORDS, *MACROS, *PATTERNS, *ODD_PIECES]) | st.text(max_size=3), max_size=6).map(
    "".join
)
lone_texts = st.text(st.characters(categories=None), max_size=12) | odd_texts
numbers = st.integers(-3, 6) | st.sampled_from(
    [0.5, 2.0, -0.0, 99, 100, 101, 1000, 1001, 2**53, 10**30, 1e300, 1e-7, -1e22]
)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | lone_texts | st.sampled_from(["1", "0", " 7 ", "0x1", "Infinity", "normal"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["names", "tags", "isExclude", "0", "x"]), inner, max_size=3)
    ),
    max_leaves=4,
)

FIELD_NAMES = [row.name for row in ENTRY_FIELDS]
common = st.sampled_from(WORDS[:4])
one_key = (
    common
    | common
    | words.map(str.upper)
    | st.tuples(words, words).map(" ".join)
    | st.sampled_from([*PATTERNS, "", " "])
)
plain_keys = st.lists(one_key, max_size=3)
texts = st.lists(st.sampled_from(WORDS[:4]) | words, max_size=8).map(" ".join)


def rarely(value: Any, mostly: Any) -> st.SearchStrategy[Any]:
    """One in eight draws is the value (or drawn from it)."""
    rare = value if isinstance(value, st.SearchStrategy) else st.just(value)
    return st.integers(0, 7).flatmap(lambda number: rare if number == 7 else st.just(mostly))


MEANT: dict[str, st.SearchStrategy[Any]] = {
    "keysecondary": plain_keys,
    "selectiveLogic": st.integers(0, 3),
    "constant": rarely(True, False),
    "order": st.integers(98, 102),
    "position": rarely(st.sampled_from([9, None, "0"]), 0) | st.integers(0, 7),
    "depth": st.sampled_from([0, 1, 4, None]),
    "role": st.sampled_from([0, 1, 2, None]),
    "outletName": st.sampled_from(["", "x"]),
    "disable": rarely(True, False),
    "ignoreBudget": rarely(True, False),
    "excludeRecursion": rarely(True, False),
    "preventRecursion": rarely(True, False),
    "delayUntilRecursion": rarely(st.sampled_from([True, 1, 2, 3]), False),
    "probability": st.sampled_from([100, 100, 100, 0, 30, 70]),
    "group": st.sampled_from(["", "g", "g", "h", "g, h", "1, g"]),
    "groupOverride": st.sampled_from([False, False, True]),
    "groupWeight": st.sampled_from([100, 0, 50, None]),
    "useGroupScoring": st.sampled_from([None, None, True, False]),
    "scanDepth": rarely(st.sampled_from([0, 1, 3, 1000]), None),
    "caseSensitive": st.sampled_from([None, None, True, False]),
    "matchWholeWords": st.sampled_from([None, None, True, False]),
    "sticky": st.sampled_from([None, None, 0, 1, 2, 5]),
    "cooldown": st.sampled_from([None, None, 0, 1, 2, 4]),
    "delay": rarely(st.sampled_from([1, 3]), None),
    "triggers": rarely(st.sampled_from([["normal"], ["swipe", "quiet"]]), []),
    "matchScenario": st.booleans(),
    "characterFilter": rarely(
        st.sampled_from(
            [{"names": ["anna"], "tags": [], "isExclude": True}, {"names": [], "tags": ["elf"], "isExclude": False}]
        ),
        None,
    ),
}


@st.composite
def meant_entries(draw: st.DrawFn, number: int) -> Entry:
    """An entry as an author would make one: some fields changed from the template."""
    changed = draw(st.fixed_dictionaries({}, optional=MEANT))
    decorator = draw(rarely(st.sampled_from(["@@activate\n", "@@dont_activate\n", "@@x\n@@@activate\n"]), ""))
    fields = {
        **template(),
        "uid": number,
        "comment": f"e{number}",
        "key": draw(st.lists(one_key, min_size=1, max_size=3) | plain_keys),
        "content": decorator + draw(texts),
        **changed,
    }
    return Entry(fields, str(number))


@st.composite
def wild_entries(draw: st.DrawFn) -> Entry:
    """An entry of arbitrary JSON values, under the names that an engine reads; its content is a text or false."""
    base = template() if draw(st.booleans()) else {}
    fields = {**base, **draw(st.dictionaries(st.sampled_from(FIELD_NAMES), json_values, max_size=12))}
    fields["content"] = draw(lone_texts | st.sampled_from([None, False, 0, ""]))
    if draw(st.booleans()):
        fields["key"] = draw(st.lists(lone_texts | st.sampled_from(PATTERNS) | words | json_values, max_size=3))
    return Entry(fields, draw(st.sampled_from(["0", "1", "10", "x", "-1", "01"])))


def meant_books(name: str = "lore", largest: int = 7) -> st.SearchStrategy[Book]:
    """A book of meant entries, their uids in order."""
    sizes = st.integers(0, largest)
    return sizes.flatmap(lambda size: st.tuples(*(meant_entries(number) for number in range(size)))).map(
        lambda entries: Book(name, entries)
    )


wild_books = st.builds(
    lambda name, entries: Book(name, tuple(entries)),
    st.sampled_from(["lore", "b.c", "__proto__", "\ud83d"]),
    st.lists(wild_entries(), max_size=4),
)

meant_settings = st.fixed_dictionaries(
    {},
    optional={
        "world_info_depth": st.integers(0, 4),
        "world_info_budget": st.sampled_from([1, 25, 100]),
        "world_info_budget_cap": st.sampled_from([0, 0, 30]),
        "world_info_min_activations": st.sampled_from([0, 0, 2, 4]),
        "world_info_min_activations_depth_max": st.sampled_from([0, 3]),
        "world_info_max_recursion_steps": st.sampled_from([0, 0, 1, 2]),
        "world_info_recursive": st.booleans(),
        "world_info_match_whole_words": st.booleans(),
        "world_info_case_sensitive": st.booleans(),
        "world_info_include_names": st.booleans(),
        "world_info_use_group_scoring": st.booleans(),
        "world_info_character_strategy": st.integers(0, 3),
    },
)
wild_settings = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans() if isinstance(default, bool) else st.integers(-3, 1200)
        for name, default in ((name, getattr(ScanSettings(), name)) for name in ScanSettings.__dataclass_fields__)
    },
)


def messages(bodies: st.SearchStrategy[str]) -> st.SearchStrategy[Message]:
    """Messages of anybody, some hidden, some with an attachment."""
    extra: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
        [{}, {}, {}, {"files": [{"text": "cat"}]}, {"title": "dog", "append_title": True}]
    )
    return st.builds(
        Message,
        bodies,
        st.sampled_from([None, None, "Guest", ""]),
        st.booleans(),
        st.sampled_from([False, False, False, True]),
        extra=extra,
    )


def chats(bodies: st.SearchStrategy[str], longest: int = 6) -> st.SearchStrategy[Transcript]:
    """Short chats."""
    return st.lists(messages(bodies), max_size=longest).map(lambda listed: Transcript(tuple(listed)))


ANNA = Character(
    "Anna", "anna.png", "a cat", "kind", "the {{user}} and a dog", tags=("elf",), depth_prompt=DepthPrompt("кот")
)
casts = st.sampled_from(
    [
        Cast(Persona("User"), ANNA),
        Cast(Persona("Cat", "naïve", position="at_depth"), ANNA),
        Cast(),
        Cast(Persona("User"), None, Group((ANNA, Character("Bert", "b.png", "a dog")), 1, frozenset({0}), 1)),
    ]
)
notes = st.sampled_from(
    [AuthorsNote(), AuthorsNote("a cat"), AuthorsNote("dog", interval=2), AuthorsNote("x", interval=0)]
)
randoms = st.builds(RandomSource, st.integers(0, 5), per_turn=st.booleans()) | st.builds(
    RandomSource, numbers=st.lists(st.sampled_from([0.0, 0.3, 0.5, 0.999]), max_size=6).map(tuple)
)
forced = st.lists(
    st.builds(
        ForcedEntry,
        st.just("lore"),
        st.integers(0, 4),
        st.sampled_from([{}, {}, {"content": "cat"}, {"probability": 50}, {"group": "g"}]),
    ),
    max_size=2,
).map(tuple)


def scenarios(
    books: st.SearchStrategy[Book], settings: st.SearchStrategy[dict[str, Any]], bodies: st.SearchStrategy[str]
) -> st.SearchStrategy[Scenario]:
    """Scenarios over one to three books."""
    return st.builds(
        Scenario,
        layers=st.builds(
            lambda first, second, third, twice: Layers((first,) * (1 + twice), (second,), chat=(third,)),
            books,
            books.map(lambda book: Book("second", book.entries)),
            st.just(Book("third")) | books,
            rarely(True, False),
        ),
        settings=settings.map(ScanSettings().with_values),
        cast=casts,
        transcript=chats(bodies),
        note=notes,
        injected=st.sampled_from([(), (InjectedPrompt("memory", "a cat", scan=True),)]),
        trigger=rarely(st.sampled_from([*TRIGGERS, "other"]), "normal"),
        dry_run=rarely(True, False),
        max_context=rarely(st.sampled_from([40, 10, 0]), 8192),
        random=randoms,
        random_macro=st.sampled_from(["stream", "native"]),
        macro_engine=st.sampled_from(["new", "new", "legacy"]),
        quiet_prompt=st.sampled_from(["", "", "dog"]),
        forced=forced,
        allow_wi_scan=st.booleans(),
        scan_texts=st.none() | st.none() | st.none() | st.lists(bodies, max_size=3).map(tuple),
        local_variables=st.sampled_from([{}, {"v": "dog"}, {"v": 3}]),
    )


meant_scenarios = scenarios(meant_books(), meant_settings, texts)
wild_scenarios = scenarios(wild_books | meant_books(), wild_settings, lone_texts)


def replays(scenario: Scenario) -> st.SearchStrategy[list[Step]]:
    """Turns of a replay, mostly one after the other, sometimes back or again."""
    length = len(scenario.transcript)
    return st.lists(st.integers(0, length), max_size=3).map(
        lambda odd: [Step(upto) for upto in (*range(1, length + 1), *odd)]
    )
