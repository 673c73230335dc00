"""One message of a chat as JSON, changed or made anew in the manner of the program whose file it is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.formats.messages import agnai_message, is_sillytavern_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.js import Json
    from lorebook_tui.model.transcript import Message

_OF_A_SPEAKER: Final = ("original_avatar", "force_avatar", "characterId", "userId")
"""Members of a message that tell who speaks; a new message of the same speaker has them too."""
_OF_A_SWIPE: Final = ("extra", "send_date", "gen_started", "gen_finished")
"""Members that SillyTavern keeps for each swipe in `swipe_info`."""
_STAND_IN: Final = {"userId": "user", "characterId": "character"}


@dataclass(frozen=True, slots=True)
class MessageChange:
    """What shall be different about a message; None stays as it is."""

    text: str | None = None
    name: str | None = None
    is_user: bool | None = None
    is_hidden: bool | None = None
    swipe: int | None = None
    """Index of the swipe whose text the message gets; not together with a text."""


def changed_value(
    value: Mapping[str, Any], message: Message, change: MessageChange, like: Mapping[str, Any] | None = None
) -> dict[str, Json]:
    """A message of a file with something changed; everything else stays.

    Args:
        value: as it stands in the file.
        message: as it was read.
        change: what shall be different.
        like: another message of the new speaker, if there is one: picture and ids are taken from it.

    Raises:
        UsageError: this program's chats have no place for that.
    """
    made = dict(value)
    if change.name is not None and change.name != message.name:
        made = {name: item for name, item in made.items() if name not in _OF_A_SPEAKER}
        made |= {name: like[name] for name in _OF_A_SPEAKER if like is not None and name in like}
    if is_sillytavern_message(value):
        _change_sillytavern(made, message, change)
    elif change.swipe is not None:
        raise UsageError("The message has no swipes.", hint="Only SillyTavern's chats keep them.")
    elif "role" in value:
        _change_role(made, message, change)
    else:
        _change_agnai(made, message, change)
    return made


def made_value(message: Message, like: Mapping[str, Any] | None, *, sent: str = "") -> dict[str, Json]:
    """A new message for a file.

    Args:
        message: what it says, and who says it.
        like: another message of the file, best one of the same speaker, whose manner it takes; None: SillyTavern's.
        sent: the date as that program spells it, if the message has none.

    Raises:
        UsageError: this program's chats have no place for such a message.
    """
    if like is None or is_sillytavern_message(like):
        made = _new_sillytavern(message, sent)
        if like is not None and like.get("name") == message.name:
            made |= {name: like[name] for name in _OF_A_SPEAKER if name in like}
        return _ordered(made, like)
    own = {name: like[name] for name in _OF_A_SPEAKER if name in like}
    if "role" in like:
        made = {"role": _role(message), "content": message.text}
        if message.name is not None and "name" in like:
            made["name"] = message.name
        return _ordered(made | own, like)
    made = {"handle": message.name or "", "msg": message.text} | own
    _change_agnai(made, message, MessageChange(is_user=message.is_user, is_hidden=message.is_hidden or None))
    return _ordered(made, like)


def _ordered(made: dict[str, Json], like: Mapping[str, Any] | None) -> dict[str, Json]:
    """Members in the order of another message."""
    first = [name for name in like or () if name in made]
    return {name: made[name] for name in dict.fromkeys((*first, *made))}


def _new_sillytavern(message: Message, sent: str) -> dict[str, Json]:
    made: dict[str, Json] = {"name": message.name} if message.name is not None else {}
    made |= {"is_user": message.is_user, "is_system": message.is_hidden}
    if message.sent or sent:
        made["send_date"] = message.sent or sent
    made["mes"] = message.text
    if message.swipes:
        made |= {"swipe_id": message.swipe, "swipes": list(message.swipes)}
    return made | {"extra": {}}


def _change_sillytavern(made: dict[str, Json], message: Message, change: MessageChange) -> None:
    """SillyTavern 1.19: the chosen swipe and `mes` are one text, which is edited in both places."""
    if change.swipe is not None:
        _take_swipe(made, message, change.swipe)
    if change.text is not None:
        swipes = made.get("swipes")
        if isinstance(swipes, list) and message.swipe < len(swipes) and _is_in_step(made, message):
            made["swipes"] = [*swipes[: message.swipe], change.text, *swipes[message.swipe + 1 :]]
        made["mes"] = change.text
    if change.name is not None:
        made["name"] = change.name
    if change.is_user is not None and change.is_user != message.is_user:
        made["is_user"] = change.is_user
    if change.is_hidden is not None and change.is_hidden != message.is_hidden:
        made["is_system"] = change.is_hidden


def _is_in_step(made: Mapping[str, Any], message: Message) -> bool:
    """Whether the chosen swipe is the message's text, by its number or because they are equal."""
    return made.get("swipe_id") == message.swipe or made["swipes"][message.swipe] == made.get("mes")


def _take_swipe(made: dict[str, Json], message: Message, wanted: int) -> None:
    """Another swipe becomes the message. A text that is none of the swipes is kept as one more."""
    if not 0 <= wanted < len(message.swipes):
        count = len(message.swipes)
        raise UsageError(
            f"The message has no swipe {wanted + 1}." if count else "The message has no swipes.",
            expected=f"1 to {count}" if count else "",
        )
    swipes = list(made["swipes"])
    if isinstance(made.get("mes"), str) and made["mes"] not in swipes:
        swipes.append(made["mes"])
        made["swipes"] = swipes
    infos = made.get("swipe_info")
    if isinstance(infos, list) and max(wanted, message.swipe) < len(infos):
        left, taken = infos[message.swipe], infos[wanted]
        if isinstance(left, dict) and isinstance(taken, dict):
            for name in _OF_A_SWIPE:
                if name in left and name in taken and name in made and made[name] == left[name]:
                    made[name] = taken[name]
    made["mes"] = message.swipes[wanted]
    made["swipe_id"] = wanted


def _role(message: Message) -> str:
    return "system" if message.is_hidden else "user" if message.is_user else "assistant"


def _change_role(made: dict[str, Json], message: Message, change: MessageChange) -> None:
    if change.text is not None:
        made["content"] = _content(made.get("content"), change.text)
    if change.name is not None:
        made["name"] = change.name
    is_user = message.is_user if change.is_user is None else change.is_user
    is_hidden = message.is_hidden if change.is_hidden is None else change.is_hidden
    if (is_user, is_hidden) != (message.is_user, message.is_hidden):
        made["role"] = "system" if is_hidden else "user" if is_user else "assistant"


def _content(old: Json, text: str) -> Json:
    """A content with another text; of a list of parts the first text gets it, the other texts go."""
    if not isinstance(old, list):
        return text
    made: list[Json] = []
    is_placed = False
    for part in old:
        is_text = isinstance(part, str) or (isinstance(part, dict) and isinstance(part.get("text"), str))
        if is_text and not is_placed:
            made.append(text if isinstance(part, str) else {**part, "text": text})
        elif not is_text:
            made.append(part)
        is_placed = is_placed or is_text
    return made if is_placed else [{"type": "text", "text": text}, *made]


def _change_agnai(made: dict[str, Json], message: Message, change: MessageChange) -> None:
    if change.is_hidden:
        raise UsageError(
            "A chat of Agnai's has no hidden messages.",
            hint="A branch of the chat is a SillyTavern chat, which has them.",
        )
    if change.text is not None:
        made["msg"] = change.text
    if change.name is not None:
        made["handle"] = change.name
    is_user = message.is_user if change.is_user is None else change.is_user
    if agnai_message(made, "").is_user != is_user:
        gone, come = ("characterId", "userId") if is_user else ("userId", "characterId")
        made.pop(gone, None)
        made.setdefault(come, _STAND_IN[come])
