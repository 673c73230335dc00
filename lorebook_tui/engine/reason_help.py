"""What each reason of a verdict means, for people: the one place where reasons are documented."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.trace import Reason

REASON_HELP: Final = {
    Reason.IN_PROMPT: "Its text is in the prompt.",
    Reason.EMPTY_TEXT: "Activated, but its text is empty once macros are replaced, so nothing reaches the prompt.",
    Reason.UNKNOWN_POSITION: "Activated and counted, but its position is none of the known ones, so it is put nowhere.",
    Reason.NO_OUTLET_NAME: "Activated, but its position is outlet and it names none, so it is put nowhere.",
    Reason.NOTE_NOT_DUE: "Activated, but it belongs to the author's note, which is not sent at this turn.",
    Reason.BUDGET_CUT: "Its text would have reached the budget, so it was cut, and the normal entries ended there.",
    Reason.BEHIND_THE_CUT: "An entry before it reached the budget; nothing behind it was tried.",
    Reason.ROLL_FAILED: "It lost its probability roll, which bars it for the rest of the turn.",
    Reason.GROUP_STICKY_MEMBER: "A sticky member holds its inclusion group.",
    Reason.GROUP_COOLDOWN: "It is sticky and on cooldown at once, and its inclusion group then puts it out.",
    Reason.GROUP_SCORE: "Another member of its inclusion group has more matching keys (group scoring).",
    Reason.GROUP_TAKEN: "An entry activated earlier in this turn holds its inclusion group.",
    Reason.GROUP_OVERRIDE: "A member of its inclusion group with the override and a higher order won.",
    Reason.GROUP_ROLL: "It lost the weighted roll of its inclusion group.",
    Reason.GROUP_COLLATERAL: "An entry lost in two groups and was removed twice; SillyTavern then took this one out.",
    Reason.SECONDARY_FAILED: "A primary key matched, but its secondary keys did not let it through.",
    Reason.PATTERN_TIMEOUT: "A pattern among its keys gave no answer within its time limit, so it counts as no match.",
    Reason.NO_KEY_IN_TEXT: "None of its keys occurs in the text it scans.",
    Reason.NO_KEYS: "It has no keys and is not constant, so nothing can activate it.",
    Reason.SUPPRESSED: "Its decorator @@dont_activate suppresses it.",
    Reason.EXCLUDED_FROM_RECURSION: "It does not take part in recursion passes, and the first pass did not take it.",
    Reason.LEVEL_NOT_OPEN: "It waits for a recursion level that was never opened.",
    Reason.WAITS_FOR_RECURSION: "It is only activated by recursion, and there was no recursion pass.",
    Reason.ON_COOLDOWN: "Its cooldown from an earlier activation still runs.",
    Reason.DELAYED: "The chat does not have as many messages yet as its delay asks for.",
    Reason.CHARACTER_TAG: "The tags of its character filter shut this character out.",
    Reason.CHARACTER_NAME: "The names of its character filter shut this character out.",
    Reason.TRIGGER: "It is not meant for this kind of generation.",
    Reason.DISABLED: "It is disabled.",
    Reason.REPLACED: "Another entry has the same book and uid, and its text stands in place of this one's.",
    Reason.NOT_REACHED: "No pass came to it.",
    Reason.STOPPED: "SillyTavern would stop with an error at this turn, so there is no prompt at all.",
}
"""One sentence per reason."""
