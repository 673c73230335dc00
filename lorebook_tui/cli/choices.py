"""What a shell completes: names of settings, engines, tokenizers, fields. Loaded only when the shell asks."""

from __future__ import annotations

from typing import Final

SCHEMAS: Final = ("trace", "why", "odds", "budget", "compare", "check", "fields", "settings", "reasons")
"""What `schema` can print."""


def engines(incomplete: str) -> list[str]:
    """Names of engines."""
    from lorebook_tui.engine.dialects import NAMES  # noqa: PLC0415 - only for the shell

    return _beginning(NAMES, incomplete)


def tokenizers(incomplete: str) -> list[str]:
    """Names of tokenizers."""
    from lorebook_tui.tokens.registry import names  # noqa: PLC0415 - only for the shell

    return _beginning(names(), incomplete)


def triggers(incomplete: str) -> list[str]:
    """Kinds of generation."""
    from lorebook_tui.model.scenario import TRIGGERS  # noqa: PLC0415 - only for the shell

    return _beginning(TRIGGERS, incomplete)


def settings(incomplete: str) -> list[str]:
    """Names of settings, ready for a value."""
    from lorebook_tui.model.fields import SETTING_FIELDS  # noqa: PLC0415 - only for the shell

    return _beginning([f"{row.name}=" for row in SETTING_FIELDS], incomplete)


def apis(incomplete: str) -> list[str]:
    """Shapes of a prompt."""
    return _beginning(("chat", "text"), incomplete)


def prompt_options(incomplete: str) -> list[str]:
    """Names of options of the prompt, ready for a value; after `instruct=` and its like the shipped templates."""
    from lorebook_tui.workspace.prompt_options import NAMES, shipped  # noqa: PLC0415 - only for the shell

    name, equals, _ = incomplete.partition("=")
    if equals:
        return _beginning([f"{name}={template}" for template in shipped(name)], incomplete)
    return _beginning([f"{name}=" for name in NAMES], incomplete)


def field_names(incomplete: str) -> list[str]:
    """Names of entry fields and settings."""
    from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS  # noqa: PLC0415 - only for the shell

    return _beginning([row.name for row in (*ENTRY_FIELDS, *SETTING_FIELDS)], incomplete)


def samples(incomplete: str) -> list[str]:
    """Names of the shipped samples."""
    from lorebook_tui.workspace.sample import NAMES  # noqa: PLC0415 - only for the shell

    return _beginning(NAMES, incomplete)


def turn_modes(incomplete: str) -> list[str]:
    """Which turns a chat had."""
    return _beginning(("user", "each"), incomplete)


def templates(incomplete: str) -> list[str]:
    """Names of templates, the user's own too."""
    from lorebook_tui.workspace.own_templates import shelf  # noqa: PLC0415 - only for the shell
    from lorebook_tui.workspace.places import config_folder  # noqa: PLC0415 - as above

    return _beginning([template.name for template in shelf(config_folder()).templates], incomplete)


def new_formats(incomplete: str) -> list[str]:
    """Formats of new books."""
    from lorebook_tui.workspace.shapes import SHAPES  # noqa: PLC0415 - only for the shell

    return _beginning(list(SHAPES), incomplete)


def schemas(incomplete: str) -> list[str]:
    """What `schema` can print."""
    return _beginning(SCHEMAS, incomplete)


def rules(incomplete: str) -> list[str]:
    """Codes of rules."""
    from lorebook_tui.lint.catalogue import all_rules  # noqa: PLC0415 - only for the shell

    return _beginning([rule.code for rule in all_rules()], incomplete)


def report_formats(incomplete: str) -> list[str]:
    """Ways to report a check."""
    return _beginning(("text", "json", "sarif", "github", "junit", "markdown"), incomplete)


def _beginning(names: tuple[str, ...] | list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
