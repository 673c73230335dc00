"""Recipes for entries that know and choose: people and places, rules, filters, dice."""

from __future__ import annotations

from typing import Final

from lorebook_tui.workspace.templates import Blank, Template

_WHERE: Final = Blank("where", "Name of the place", "Mossford")
_AFTER, _AT_DEPTH = 1, 4
_NOT_ANY, _AND_ALL = 2, 3
_RUSSIAN_ENDINGS: Final = "а|у|ом|е|ы|и|ов|ам|ами|ах|ой|ою|ю|я|ем|ей|ям|ями|ях"

RECIPES: Final = (
    Template(
        "place",
        "A place by its name",
        "Tells what a place is like as soon as somebody names it.",
        (
            {
                "comment": "<<where>>",
                "key": ["<<where>>", "<<aliases>>"],
                "content": "<<where>> is a green town: moss on the roofs, cats on the moss, a gate nobody locks.",
                "position": _AFTER,
            },
        ),
        (_WHERE, Blank("aliases", "What else it is called, with commas", "the moss town")),
        ("Every way people call it is a key of its own; a comma inside a key would be part of it.",),
    ),
    Template(
        "person",
        "A person whose name means other things too",
        "Tells about a person when the name and one word from around them are said.",
        (
            {
                "comment": "<<name>>",
                "key": ["<<name>>"],
                "keysecondary": ["<<around>>"],
                "content": "<<name>>: pilot of the ferry, thirty, laughs before she speaks, never crosses on a Friday.",
                "position": _AFTER,
            },
        ),
        (
            Blank("name", "Name of the person", "Hope"),
            Blank("around", "Words around them, with commas", "ferry, pilot"),
        ),
        (
            "Secondary keys with AND ANY: the name alone does nothing.",
            "Both are looked for in the same messages, as many as the scan depth allows.",
        ),
    ),
    Template(
        "scene",
        "A scene inside the chat",
        "Stands four messages from the end of the chat while its words are said, as if it had just come up.",
        (
            {
                "comment": "Scene · <<where>>",
                "key": ["<<where>>", "<<aliases>>"],
                "content": "[<<where>>] Under the oldest trees no moonlight falls, and who stays hears the dragon.",
                "position": _AT_DEPTH,
                "depth": 4,
            },
        ),
        (
            Blank("where", "Name of the place", "shadow forest"),
            Blank("aliases", "What else it is called, with commas", "the forest, 暗影森林"),
        ),
        ("Words of scripts without spaces, such as Chinese, are found inside of longer ones: no option is needed.",),
    ),
    Template(
        "character",
        "A character in two parts",
        "Always tells who somebody is, first the looks, then the nature.",
        (
            {
                "comment": "<<name>> · looks",
                "content": "<<name>>: <<looks>>.",
                "constant": True,
                "order": 20,
                "preventRecursion": True,
            },
            {
                "comment": "<<name>> · nature",
                "content": "<<name>>'s nature: <<nature>>.",
                "constant": True,
                "order": 21,
                "preventRecursion": True,
            },
        ),
        (
            Blank("name", "Name of the character", "Alice"),
            Blank("looks", "The looks", "an elf of three hundred, silver hair, one acorn earring"),
            Blank("nature", "The nature", "gentle with a sharp tongue, loyal, afraid of centipedes"),
        ),
        ("Two entries, so that either can be switched off or filtered by itself.",),
    ),
    Template(
        "inflected",
        "A name with its case endings (Russian)",
        "Finds a Russian noun in all its cases by one pattern, and nothing that only begins alike.",
        (
            {
                "comment": "<<stem>>",
                "key": [f"/(?<![а-яё])<<stem>>({_RUSSIAN_ENDINGS})?(?![а-яё])/iu"],
                "content": "<<stem>> — зелёный город: мох на крышах, коты на мху.",
                "position": _AFTER,
            },
        ),
        (Blank("stem", "The word without its ending", "Моссфорд"),),
        (
            "The option for whole words knows only A-Z, so the pattern looks around itself for Cyrillic letters.",
            "The flag i makes capitals not matter; the entry's own case option does not apply to patterns.",
        ),
    ),
    Template(
        "short-word",
        "A short name that must not hide in other words",
        "Finds a short word in any script only where it stands alone and is spelled like this.",
        (
            {
                "comment": "<<word>>",
                "key": ["/(?<![\\p{L}\\p{N}])<<word>>(?![\\p{L}\\p{N}])/u"],
                "content": "<<word>> is the machine that counts the harbour's bells.",
                "position": _AFTER,
            },
        ),
        (Blank("word", "The word, in its capitals", "AI"),),
        ("Not for scripts without spaces between words, such as Chinese: there plain keys are right.",),
    ),
    Template(
        "world-rules",
        "Rules of the world",
        "Is always in the prompt, and is not cut when the budget is spent.",
        (
            {
                "comment": "World rules",
                "content": "<<rules>>",
                "constant": True,
                "order": 10,
                "ignoreBudget": True,
                "preventRecursion": True,
            },
        ),
        (Blank("rules", "The rules", "Bells are rung for the drowned; no one may ring one twice."),),
        (
            "Keep it short: it costs its tokens at every turn, and the entries after it get what is left.",
            "Its text wakes no other entries; otherwise they would come at every turn too.",
        ),
    ),
    Template(
        "plist",
        "PList: one block in brackets",
        "Joins all entries before the character to one block [a; b; c], whose brackets stand only at its ends.",
        (
            {"comment": "PList [", "content": "[", "constant": True, "order": 2, "preventRecursion": True},
            {"comment": "PList ]", "content": "]", "constant": True, "order": 998, "preventRecursion": True},
            {
                "comment": "PList · <<where>>",
                "key": ["<<where>>"],
                "content": "<<where>>: <<traits>>;",
                "order": 100,
            },
        ),
        (_WHERE, Blank("traits", "Its traits, with commas", "green, mossy, unlocked, full of cats")),
        (
            "Further entries of the block have orders from 3 to 997, no brackets, and end in a semicolon.",
            "The model sees brackets once and does not begin to write them itself.",
        ),
    ),
    Template(
        "not-filter",
        "One truth until another is told",
        "Tells of the place as it was, and once its end is mentioned, of what is left; never both.",
        (
            {
                "comment": "<<where>> · before",
                "key": ["<<where>>"],
                "keysecondary": ["<<end>>"],
                "selectiveLogic": _NOT_ANY,
                "content": "<<where>> is a green town, and supper is at six.",
                "position": _AFTER,
            },
            {
                "comment": "<<where>> · after",
                "key": ["<<where>>"],
                "keysecondary": ["<<end>>"],
                "content": "Of <<where>> only the stoves stand. The cats are still there.",
                "position": _AFTER,
            },
        ),
        (_WHERE, Blank("end", "Words of its end, with commas", "ruins, burned down")),
        ("Only the scanned messages count: when the end is no longer mentioned there, the first entry is back.",),
    ),
    Template(
        "all-of-them",
        "Only when everything comes together",
        "Fires when the first word and all others are said within the scanned messages.",
        (
            {
                "comment": "All together",
                "key": ["<<first>>"],
                "keysecondary": ["<<others>>"],
                "selectiveLogic": _AND_ALL,
                "content": "Behind the altar, with the candle lit, the second door can be seen.",
                "position": _AFTER,
            },
        ),
        (
            Blank("first", "The first word", "altar"),
            Blank("others", "All the others, with commas", "candle, midnight"),
        ),
    ),
    Template(
        "dice",
        "Dice: one of two outcomes",
        "At every attempt exactly one of two outcomes is told to the model, each half of the time.",
        (
            {
                "comment": "<<what>> · succeeds",
                "key": ["<<keys>>"],
                "content": "The attempt (<<what>>) WILL INSTANTLY succeed.",
                "group": "dice: <<what>>",
                "position": _AT_DEPTH,
                "depth": 0,
                "order": 910,
            },
            {
                "comment": "<<what>> · fails",
                "key": ["<<keys>>"],
                "content": "The attempt (<<what>>) WILL INSTANTLY fail, and it can be heard.",
                "group": "dice: <<what>>",
                "position": _AT_DEPTH,
                "depth": 0,
                "order": 910,
            },
        ),
        (
            Blank("what", "What is tried", "picking the lock"),
            Blank("keys", "Its keys, with commas", "lockpick, pick the lock"),
        ),
        (
            "One inclusion group and no probabilities: two entries at 50 % each would roll apart from each other.",
            "The group weight makes one outcome more likely: 300 against 100 is three to one.",
            "WILL INSTANTLY keeps the model from inventing a third way.",
        ),
    ),
    Template(
        "random-event",
        "A rare event",
        "Once in a while, without any key, one of some events happens.",
        tuple(
            {
                "comment": f"Event · {title}",
                "content": text,
                "constant": True,
                "group": "events",
                "probability": 15,
                "cooldown": 10,
                "position": _AT_DEPTH,
                "depth": 1,
                "order": 800,
                "preventRecursion": True,
            }
            for title, text in (
                ("bell", "A bell rings under the water, though nobody has touched it."),
                ("rain", "It begins to rain, from below."),
                ("letter", "A child brings a letter with {{user}}'s name spelled wrong."),
            )
        ),
        (),
        (
            "The group draws one event, which then rolls its 15 %, so at most one happens at a turn.",
            "An event that happened rests for the cooldown; a regenerated reply rolls again.",
        ),
    ),
    Template(
        "one-speaker",
        "What only one character knows",
        "Is told only when this card speaks, though the book is open for everybody.",
        (
            {
                "comment": "Secret of <<card>>",
                "key": ["<<keys>>"],
                "content": "{{char}} knows who rang the bell, and will not say so unasked.",
                "characterFilter": {"isExclude": False, "names": ["<<card>>"], "tags": []},
                "position": _AFTER,
            },
        ),
        (
            Blank("card", "File name of the card, without extension", "mira"),
            Blank("keys", "Words that call for it, with commas", "bell, who rang"),
        ),
        (
            "SillyTavern compares the card's file name, not the character's name.",
            "In a card's own book the filter is lost: it lives only in worlds.",
        ),
    ),
)
