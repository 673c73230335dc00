"""Recipes for entries that remember: states that stay, take turns, switch, wait, or come late."""

from __future__ import annotations

from typing import Final

from lorebook_tui.workspace.templates import Blank, Template

_AFTER, _AT_DEPTH = 1, 4
_NOT_ANY = 2
_FOREVER = 100_000

STATE_RECIPES: Final = (
    Template(
        "state",
        "A state that stays for a while",
        "Once its word is said it stays for the next messages without it, then it rests.",
        (
            {
                "comment": "State · <<what>>",
                "key": ["<<keys>>"],
                "content": "{{user}} is <<what>>: numb lips, double edges, no running. {{char}} stays close.",
                "position": _AT_DEPTH,
                "depth": 1,
                "order": 900,
                "sticky": 5,
                "cooldown": 6,
            },
        ),
        (
            Blank("what", "The state", "poisoned"),
            Blank("keys", "Words that begin it, with commas", "poisoned, venom, drinks the poison"),
        ),
        (
            "Both numbers count messages, both sides' alike: sticky 5 holds the next two replies.",
            "Without a group: a member of a group with sticky and cooldown is not held.",
        ),
    ),
    Template(
        "take-turns",
        "Two moods that take turns",
        "Every time the word is said, the mood is the other one.",
        tuple(
            {
                "comment": f"<<who>> · {mood}",
                "key": ["<<who>>"],
                "content": text,
                "group": "mood: <<who>>",
                "cooldown": 3,
                "position": _AT_DEPTH,
                "depth": 2,
                "order": 500,
            }
            for mood, text in (
                ("warm", "<<who>> is in a warm mood and offers something."),
                ("cold", "<<who>> is in a cold mood and wants something back."),
            )
        ),
        (Blank("who", "Whose moods", "Tobin"),),
        (
            "The group lets in one; the one that was in rests for one exchange, so the other is next.",
            "The first one is drawn; give one of them more group weight to decide it.",
        ),
    ),
    Template(
        "stance",
        "A stance that switches and stays switched",
        "Angry words make the person angry from then on, kind words make them calm again, however long ago that was.",
        (
            {
                "comment": "<<who>> · becomes <<other>>",
                "key": ["<<to-other>>"],
                "content": "{{setvar::<<variable>>::<<other>>}}",
                "order": 600,
                "scanDepth": 1,
                "preventRecursion": True,
            },
            {
                "comment": "<<who>> · becomes <<usual>>",
                "key": ["<<to-usual>>"],
                "content": "{{setvar::<<variable>>::<<usual>>}}",
                "order": 600,
                "scanDepth": 1,
                "preventRecursion": True,
            },
            {
                "comment": "<<who>> · stance",
                "content": "<<who>> is {{if .<<variable>>}}{{.<<variable>>}}{{else}}<<usual>>{{/if}}.",
                "constant": True,
                "order": 500,
                "position": _AT_DEPTH,
                "depth": 1,
                "preventRecursion": True,
            },
        ),
        (
            Blank("who", "Whose stance", "The harbour master"),
            Blank("variable", "Name of the chat variable that keeps it", "stance"),
            Blank("usual", "The usual stance", "calm"),
            Blank("other", "The other stance", "furious"),
            Blank("to-other", "Words that make it the other, with commas", "insult, liar"),
            Blank("to-usual", "Words that make it the usual again, with commas", "apology, sorry"),
        ),
        (
            "A variable of the chat keeps it: entries with a higher order set it before the last one reads it.",
            "Only the newest message switches, so an old word does not switch back.",
        ),
    ),
    Template(
        "after-effect",
        "A consequence some messages later",
        "What happens now has its effect only later, and not before.",
        (
            {
                "comment": "<<what>> · carried",
                "key": ["<<keys>>"],
                "content": "{{user}} carries the <<what>>.",
                "position": _AFTER,
                "order": 300,
                "sticky": 20,
                "cooldown": 21,
            },
            {
                "comment": "<<what>> · not yet",
                "key": ["<<keys>>"],
                "content": "The <<what>> still looks harmless.",
                "position": _AFTER,
                "order": 301,
                "sticky": 6,
                "cooldown": 21,
            },
            {
                "comment": "<<what>> · the consequence",
                "key": ["carries the <<what>>"],
                "keysecondary": ["still looks harmless"],
                "selectiveLogic": _NOT_ANY,
                "content": "The <<what>> breaks out: {{user}} hears every heart in the room.",
                "position": _AT_DEPTH,
                "depth": 1,
                "order": 900,
                "delayUntilRecursion": 1,
                "preventRecursion": True,
            },
        ),
        (
            Blank("what", "What is carried", "moon-bite"),
            Blank("keys", "Words of what happens, with commas", "bitten, bites"),
        ),
        (
            "The delay of an entry counts from the start of the chat, so it cannot do this; two sticky marks can.",
            "The third entry reads the texts of the first two by recursion: it waits until the second one has gone.",
        ),
        {"world_info_recursive": True},
    ),
    Template(
        "later",
        "Not before the story has begun",
        "Cannot come up in the first messages of a chat, whatever is said.",
        (
            {
                "comment": "Later · <<what>>",
                "key": ["<<keys>>"],
                "content": "The truth about the <<what>>: it was never lost, only hidden.",
                "delay": 12,
                "position": _AFTER,
            },
        ),
        (
            Blank("what", "What is revealed", "crown"),
            Blank("keys", "Words that call for it, with commas", "crown"),
        ),
        ("The delay counts all messages of the chat, of anybody; only hidden ones do not count.",),
    ),
    Template(
        "only-now",
        "Only what was said just now",
        "Looks at the newest message alone, however deep the global scan goes, and is not woken by other entries.",
        (
            {
                "comment": "Now · <<what>>",
                "key": ["<<keys>>"],
                "content": "Right now: <<what>>.",
                "scanDepth": 1,
                "excludeRecursion": True,
                "position": _AT_DEPTH,
                "depth": 0,
                "order": 900,
            },
        ),
        (
            Blank("what", "What happens", "the door opens, and everybody looks round"),
            Blank("keys", "Its words, with commas", "knock, opens the door"),
        ),
    ),
    Template(
        "threshold",
        "A state that a number decides",
        "Is told as long as a variable of the chat is below a limit, whatever is said.",
        (
            {
                "comment": "<<what>> (when <<variable>> is low)",
                "content": (
                    "{{if {{hasvar::<<variable>>}}}}{{if {{.<<variable>> < <<limit>>}}}}"
                    "{{user}} is <<what>>.{{/if}}{{/if}}"
                ),
                "constant": True,
                "position": _AT_DEPTH,
                "depth": 0,
                "order": 920,
                "preventRecursion": True,
            },
            {
                "comment": "<<variable>> falls",
                "key": ["<<keys>>"],
                "content": (
                    "{{if !{{hasvar::<<variable>>}}}}{{.<<variable>> = <<start>>}}{{/if}}{{.<<variable>> -= <<loss>>}}"
                ),
                "scanDepth": 1,
                "order": 990,
                "excludeRecursion": True,
                "preventRecursion": True,
            },
        ),
        (
            Blank("variable", "Name of the chat variable", "hp"),
            Blank("start", "Its value at the beginning", "50"),
            Blank("limit", "Below this it is told", "20"),
            Blank("loss", "How much each hit takes", "20"),
            Blank("what", "What is told then", "dying: slow, coughing, never giving up"),
            Blank("keys", "Words that take from it, with commas", "wounded, hits you"),
        ),
        ("Quick replies and other scripts may set the same variable.",),
    ),
    Template(
        "for-good",
        "For good, once it has been said",
        "After its word was said once, it stays for the rest of the chat.",
        (
            {
                "comment": "<<what>> (for good)",
                "key": ["<<keys>>"],
                "content": "By now everybody knows: <<what>>.",
                "sticky": _FOREVER,
                "position": _AFTER,
            },
        ),
        (
            Blank("what", "What is known then", "the miller is the heir"),
            Blank("keys", "Words that reveal it, with commas", "heir"),
        ),
        (
            "An edit of the entry lets it go, because a chat recognises a sticky entry by all of its fields.",
            "UnoRouter and V3 cards say @@keep_activate_after_match.",
        ),
    ),
    Template(
        "only-once",
        "Only once",
        "Happens the first time its word is said, and never again in this chat.",
        (
            {
                "comment": "<<what>> (once)",
                "key": ["<<keys>>"],
                "content": "This happens now: <<what>>.",
                "cooldown": _FOREVER,
                "position": _AT_DEPTH,
                "depth": 0,
                "order": 900,
            },
        ),
        (
            Blank("what", "What happens", "the lamps go out, all at once"),
            Blank("keys", "Words that set it off, with commas", "cellar"),
        ),
        (
            "A regenerated reply or another swipe is the same time, so it happens there too.",
            "UnoRouter and V3 cards say @@dont_activate_after_match.",
        ),
    ),
    Template(
        "every-so-often",
        "Every so many messages",
        "Comes by itself once in so many messages, and not in between.",
        (
            {
                "comment": "Every so often",
                "content": "<<what>>",
                "constant": True,
                "cooldown": 8,
                "position": _AT_DEPTH,
                "depth": 1,
                "order": 700,
                "preventRecursion": True,
            },
        ),
        (Blank("what", "What comes", "Let time pass: say what the light and the tide do now."),),
        ("The cooldown counts messages; 8 are four exchanges.",),
    ),
)
