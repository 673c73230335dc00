"""Macros while a prompt is built: outlets are filled, origins are kept, and the card's `{{original}}` is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros import is_plain, substitute
from lorebook_tui.engine.prompt.traced import EMPTY, Traced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.engine.macros import MacroEnvironment


class Outlets(dict[str, str]):
    """Outlet texts by name; remembers which were asked for."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        super().__init__(texts or {})
        self.asked: set[str] = set()

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
        """The text of an outlet."""
        if name in self:
            self.asked.add(name)
        return super().get(name, default)


def once(text: str) -> Callable[[], str]:
    """What `{{original}}` gives: the text the first time, nothing later."""
    left = [text]
    return lambda: left.pop() if left else ""


class Expander:
    """Replaces macros with the variables, streams and outlets of one generation.

    Args:
        environment: what macros see; changed on the way.
        look: a stream for replacing texts only to see what becomes of their parts.
        acts: even plain texts act, because the legacy engine reads the whole card before each.
    """

    def __init__(self, environment: MacroEnvironment, look: Callable[[], float], *, acts: bool = False) -> None:
        self.environment = environment
        self._look = look
        self._acts = acts
        self.outlet_texts: dict[str, Traced] = {}
        """Where the texts of outlets come from."""

    @property
    def outlets(self) -> Outlets:
        """The outlets as they stand."""
        outlets = self.environment.outlets
        return outlets if isinstance(outlets, Outlets) else Outlets(outlets)

    def with_macro(self, name: str, text: str) -> Expander:
        """One that knows a macro more; variables, streams and outlets are shared."""
        lent = {**self.environment.lent, name.lower(): lambda: text}
        other = Expander(replace(self.environment, lent=lent), self._look, acts=self._acts)
        other.outlet_texts = self.outlet_texts
        return other

    def text(self, text: str, *, original: str | None = None) -> str:
        """A text with its macros replaced; variables and dice act."""
        if not text or (is_plain(text) and not self._acts):
            return text
        return substitute(text, _with_original(self.environment, original))

    def in_card(self, text: str, char: str | None) -> str:
        """A text of a card, where macros of the card itself are empty; `char` is whose card it is."""
        return _replaced(text, _of_card(self.environment, char))

    def traced(self, traced: Traced, *, original: str | None = None) -> Traced:
        """The same as `text` for a text of known origin."""
        if is_plain(traced.text):
            self.text(traced.text)
            return traced
        look = self._frozen()
        outlets = self.outlets
        asked_before, outlets.asked = outlets.asked, set()
        result = traced.become(
            self.text(traced.text, original=original), lambda text: _replaced(text, _with_original(look, original))
        )
        for name in outlets.asked:
            result = result.overlaid(self.outlet_texts.get(name, EMPTY))
        outlets.asked |= asked_before
        return result

    def traced_in_card(self, traced: Traced) -> Traced:
        """The same as `in_card` for a text of known origin."""
        look = self.look_in_card()
        return traced.become(self.in_card(traced.text, None), lambda text: look(text, None))

    def look_in_card(self) -> Callable[[str, str | None], str]:
        """`in_card` for looking only: variables as they are now, nothing drawn."""
        frozen = self._frozen()
        return lambda text, char: _replaced(text, _of_card(frozen, char))

    def _frozen(self) -> MacroEnvironment:
        return replace(
            self.environment,
            local=dict(self.environment.local),
            globals=dict(self.environment.globals),
            outlets=dict(self.environment.outlets),
            draw=self._look,
            draw_random=self._look,
        )


def _replaced(text: str, environment: MacroEnvironment) -> str:
    return text if is_plain(text) else substitute(text, environment)


def _with_original(environment: MacroEnvironment, original: str | None) -> MacroEnvironment:
    if original is None:
        return environment
    return replace(environment, lent={**environment.lent, "original": once(original)})


def _of_card(environment: MacroEnvironment, char: str | None) -> MacroEnvironment:
    return replace(environment, card=None, lent={}, char=environment.char if char is None else char)
