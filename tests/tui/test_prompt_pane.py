"""Phase 7: the finished prompt by origin, what is not in it, and the ways from it to entries and messages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import USER_TURNS
from lorebook_tui.tui.targets import ToEntry, ToMessage
from lorebook_tui.workspace.prompt_options import checked
from tests.unit.engine.lore import CharacterCounter

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

WIDE = (180, 50)
CARD = Character("Mira", "mira.png", description="A ferrywoman.", example_messages="<START>\nRowan: Deep?\nMira: Yes.")


def roomy(scene: Scene, room: int = 2000, **options: Any) -> Scene:
    """The scene with a card, a context of so many tokens, and options of the prompt."""
    cast = Cast(Persona("Rowan", "A bell-founder."), CARD)
    scenario = replace(scene.scenario, cast=cast, max_context=room)
    return replace(scene, scenario=scenario, prompt_options=checked(options))


SHOWN: dict[str, tuple[tuple[int, int], dict[str, Any], tuple[str, ...]]] = {
    "prompt-chat-180x50": (WIDE, {}, ("7", "z", "z")),
    "prompt-text-180x50": (WIDE, {"api": "text", "instruct": "ChatML"}, ("7", "z", "z")),
    "prompt-chat-80x24": ((80, 24), {}, ("7",)),
    "prompt-text-60x16": ((60, 16), {"api": "text"}, ("7",)),
    "prompt-end-80x24": ((80, 24), {"room": 190}, ("7", "end")),
    "prompt-letters": ((120, 40), {}, ("7", "f3", "z")),
}


@pytest.mark.parametrize("name", SHOWN)
async def test_screen(
    name: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    size, options, keys = SHOWN[name]
    async with open_bench(roomy(scene, **options), size) as bench:
        await bench.press("[", "p", *keys)
        golden(name, bench.text())


async def test_a_click_on_a_piece_goes_to_its_entry(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(roomy(scene), WIDE) as bench:
        await bench.press("[", "p", "7", "z", "z")
        await bench.click_text("The ferry carries", within="#phase-rows")
        assert bench.title == "The ferry"
        await bench.click_text("World rules", within="#phase-rows")
        assert bench.title == "World rules"


async def test_the_cursor_goes_from_piece_to_piece(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(roomy(scene), WIDE) as bench:
        await bench.press("[", "p", "7")
        rows = bench.screen.phase_rows
        titles, messages = [], []
        for _ in range(9):
            await bench.press("down")
            target = rows.blocks[rows.cursor].target
            if isinstance(target, ToEntry):
                assert bench.screen.chosen == target.ref, "entries are chosen in passing"
                titles.append(bench.title)
            elif isinstance(target, ToMessage):
                messages.append(target.message)
        assert titles == ["The mill", "The ferry", "World rules"]
        assert messages == [0, 1, 2, 3, 4, 5]
        await bench.press("enter")
        assert bench.screen.chat.blocks[bench.screen.chat.cursor].target == ToMessage(5)


async def test_another_turn_brings_another_prompt(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(roomy(scene), WIDE) as bench:
        await bench.press("p", "7")
        first = bench.screen.prompt
        await bench.press("[")
        second = bench.screen.prompt
        assert first.tokens > second.tokens
        assert bench.screen.prompt_of is bench.screen.picture
        assert f"{second.tokens:,} of 2,000 tokens" in bench.text()
        await bench.press("]")
        assert bench.screen.prompt is first, "a prompt is kept with its turn"


async def test_prompts_are_only_made_where_somebody_looks(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(roomy(scene), WIDE) as bench:
        await bench.press("[", "]", "p", "6")
        assert bench.screen.prompt is None


async def test_what_is_not_in_the_prompt_leads_to_its_entry(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(roomy(scene), WIDE) as bench:
        await bench.press("[", "p", "7", "z", "z", "end")
        assert "its text is empty" in bench.text()
        await bench.click_text("E Nowhere", within="#phase-rows")
        assert bench.title == "Nowhere"


async def test_a_prompt_that_cannot_be_made_says_why(open_bench: Callable[..., Any], scene: Scene) -> None:
    broken = roomy(scene, api="text", context_template={"story_string": "{{#if system}}"})
    async with open_bench(broken, (120, 40)) as bench:
        await bench.press("p", "7")
        assert "no valid template" in bench.text()
        await bench.press("5")
        assert "no valid template" not in bench.text()
        assert bench.screen.trouble == ""


def test_a_replay_refuses_what_makes_no_sense(scene: Scene) -> None:
    replay = Replay(
        roomy(scene, api="text", context_template={"story_string": "{{/if}}"}), CharacterCounter(), USER_TURNS
    )
    replay.prepare()
    replay.advance()
    with pytest.raises(UsageError):
        replay.prompt(replay.picture(0))


def test_a_prompt_is_counted_as_the_turn_is(scene: Scene) -> None:
    replay = Replay(roomy(scene), CharacterCounter(), USER_TURNS)
    replay.prepare()
    replay.advance()
    view = replay.prompt(replay.picture(0))
    assert view is replay.prompt(replay.picture(0))
    assert view.tokens == sum(row.tokens for row in view.rows)
    assert [row.tokens for row in view.rows if "A ferrywoman." in row.text] == [5 + len("A ferrywoman.")]
