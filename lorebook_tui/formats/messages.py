"""One message of a chat, in the ways that programs write it: SillyTavern, role and content, Agnai."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.formats.base import Severity, seen
from lorebook_tui.model.js import MISSING, text_of, truthy
from lorebook_tui.model.transcript import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Reporter
    from lorebook_tui.model.js import Json, JsonPath

_KNOWN: Final = frozenset({"name", "mes", "is_user", "is_system", "swipes", "swipe_id", "send_date", "extra"})
_UNSAID: Final = "unused"
"""What SillyTavern writes into a header where it no longer keeps a name."""
_USER_WORDS: Final = frozenset({
    "you", "user", "me", "{{user}}", "human", "anon", "anonymous", "player", "я", "ты", "вы", "юзер", "пользователь",
    "игрок", "tu", "io", "utente", "jugador", "usuario", "du", "ich", "spieler", "toi", "moi", "joueur", "você",
    "我", "你", "用户", "玩家", "あなた", "私", "ユーザー", "나", "사용자",
})  # fmt: skip


def is_header(value: Json) -> bool:
    """Whether it is the first line of a SillyTavern chat, which describes the chat."""
    if not isinstance(value, dict) or "mes" in value:
        return False
    return "chat_metadata" in value or {"user_name", "character_name"} <= value.keys()


def is_sillytavern_message(value: Json) -> bool:
    """Whether it is a message as SillyTavern writes it."""
    return isinstance(value, dict) and "mes" in value


def is_user_word(name: str) -> bool:
    """Whether a speaker's name only says that it is the user."""
    return name.strip().lower() in _USER_WORDS


def sillytavern_message(value: Mapping[str, Json], path: JsonPath, reporter: Reporter) -> Message:
    """A message of SillyTavern's. Its `mes` counts for the scan, whatever the swipes say."""
    swipes = _swipes(value.get("swipes"), path, reporter)
    chosen = _chosen(value, swipes, path, reporter)
    text = value.get("mes")
    if not isinstance(text, str):
        _wrong("mes", "a text", value.get("mes", MISSING), path, reporter)
        text = swipes[chosen] if swipes else ""
    name = value.get("name", MISSING)
    if name is not MISSING and not isinstance(name, str):
        _wrong("name", "a text", name, path, reporter)
    for flag in ("is_user", "is_system"):
        if flag in value and not isinstance(value[flag], bool):
            _wrong(flag, "true or false", value[flag], path, reporter)
    extra = value.get("extra")
    others = {member: item for member, item in value.items() if member not in _KNOWN}
    return Message(
        text=text,
        name=name if isinstance(name, str) else None,
        is_user=truthy(value.get("is_user", MISSING)),
        is_hidden=truthy(value.get("is_system", MISSING)),
        swipes=swipes,
        swipe=chosen,
        lists_swipes=isinstance(value.get("swipes"), list),
        swipe_id=value.get("swipe_id", MISSING),
        sent=text_of(value["send_date"]) if value.get("send_date") is not None else "",
        extra={**others, **extra} if isinstance(extra, dict) else others,
    )


def _wrong(name: str, expected: str, value: Json, path: JsonPath, reporter: Reporter) -> None:
    reporter.add(
        "type",
        f"`{name}` of a message has the wrong type; it is read as JavaScript would.",
        (*path, name),
        expected=expected,
        found=seen(value),
        severity=Severity.INFO if value == "" else Severity.WARNING,
    )


def _swipes(value: Json, path: JsonPath, reporter: Reporter) -> tuple[str, ...]:
    """The versions of a message; one that is no text becomes "" so that the others keep their numbers."""
    if value is None:
        return ()
    if not isinstance(value, list):
        _wrong("swipes", "an array of texts", value, path, reporter)
        return ()
    for index, item in enumerate(value):
        if not isinstance(item, str):
            _wrong("swipes", "an array of texts", item, (*path, "swipes", index), reporter)
    return tuple(item if isinstance(item, str) else "" for item in value)


def _chosen(value: Mapping[str, Json], swipes: tuple[str, ...], path: JsonPath, reporter: Reporter) -> int:
    """Index of the version that stands in the chat."""
    wanted = value.get("swipe_id")
    if wanted is None or not swipes:
        return 0
    if isinstance(wanted, int) and not isinstance(wanted, bool) and 0 <= wanted < len(swipes):
        return wanted
    reporter.add(
        "swipe-range",
        "`swipe_id` is none of the message's swipes; the one that equals the message is taken, else the last.",
        (*path, "swipe_id"),
        expected=f"0 to {len(swipes) - 1}",
        found=seen(wanted),
    )
    return swipes.index(value["mes"]) if value.get("mes") in swipes else len(swipes) - 1


def role_message(value: Mapping[str, Json], path: JsonPath, reporter: Reporter) -> Message:
    """A message with `role` and `content`; what is neither the user's nor the assistant's is hidden."""
    role = value.get("role")
    name = value.get("name")
    content = value.get("content")
    if content is not None and not isinstance(content, (str, list)):
        reporter.add(
            "type",
            "`content` of a message has the wrong type; it is read as an empty text.",
            (*path, "content"),
            expected="a text or a list of parts",
            found=seen(content),
        )
    others = {member: item for member, item in value.items() if member not in {"content", "name"}}
    return Message(
        text=_joined(content),
        name=name if isinstance(name, str) else None,
        is_user=role == "user",
        is_hidden=role not in {"user", "assistant", "model"},
        extra=others,
    )


def _joined(content: Json) -> str:
    """The text of a content, which may be a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, (str, dict))]
    return "\n".join(text for text in texts if isinstance(text, str))


def agnai_message(value: Mapping[str, Json], user: str) -> Message:
    """A message of Agnai's: `handle` and `msg`. The user's has no `characterId`, or the name of a user."""
    handle, text = value.get("handle"), value.get("msg")
    name = handle if isinstance(handle, str) else None
    named = name is not None and (is_user_word(name) or name.lower() == user.lower() != "")
    has_character = truthy(value.get("characterId", MISSING))
    by_id = not has_character and ("characterId" in value or truthy(value.get("userId", MISSING)))
    others = {member: item for member, item in value.items() if member not in {"handle", "msg"}}
    return Message(
        text=text if isinstance(text, str) else "",
        name=name,
        is_user=named or by_id,
        sent=text_of(value["createdAt"]) if value.get("createdAt") is not None else "",
        extra=others,
    )


def names_of(header: Mapping[str, Json], messages: Iterable[Message]) -> tuple[str, str]:
    """Names of the user and the character: from the header, else from the first message of each."""
    user, character = (_said(header.get(member)) for member in ("user_name", "character_name"))
    shown = [message for message in messages if not message.is_hidden and message.name]
    if not user:
        user = next((message.name or "" for message in shown if message.is_user), "")
    if not character:
        character = next((message.name or "" for message in shown if not message.is_user), "")
    return user, character


def _said(value: Json) -> str:
    return value if isinstance(value, str) and value != _UNSAID else ""
