"""Who is who: `{{user}}`, `{{char}}`, `{{group}}` and their relatives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook_tui.engine.macros.environment import MacroEnvironment

TAGS = {"user": "user", "bot": "char", "char": "char", "group": "group", "charifnotgroup": "charIfNotGroup"}
"""The old spelling `<USER>` and its relatives, by the macro it stands for."""
TAG = re.compile("<(USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>", re.IGNORECASE)


def group(environment: MacroEnvironment) -> str:
    """All members of the group, or the character."""
    return environment.group or ", ".join(member.name for member in environment.members) or environment.char


def group_not_muted(environment: MacroEnvironment) -> str:
    """The members that are not muted, or the character."""
    if environment.members:
        return ", ".join(member.name for member in environment.members if not member.muted)
    return environment.group or environment.char


def not_char(environment: MacroEnvironment) -> str:
    """Everybody but the speaker.

    SillyTavern 1.19: the new engine names the members that are not muted, the legacy engine all members and the user.
    """
    if not environment.members:
        return environment.user
    others = [
        member.name
        for member in environment.members
        if member.name != environment.char and (environment.engine == "legacy" or not member.muted)
    ]
    return ", ".join([*others, environment.user] if environment.engine == "legacy" else others)
