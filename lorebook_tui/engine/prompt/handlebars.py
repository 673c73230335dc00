"""The template language of story strings: values, blocks with `else`, comments, white space control (Handlebars 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from lorebook_tui.display import quote
from lorebook_tui.engine.prompt.traced import EMPTY, TEMPLATE, Traced
from lorebook_tui.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TAG = re.compile(
    r"\\?\{\{(?P<triple>\{)?(?P<left>~)?(?:!--(?P<long>.*?)--|!(?P<comment>[^}]*)|(?P<body>[^}]*?))(?P<right>~)?(?(triple)\})\}\}",
    re.DOTALL,
)
_NAME = re.compile(r"[^\s!\"#%&'()*+,./;<=>@\[\\\]^`{|}~]+|\.\.?|/")
_LINE_BEFORE = re.compile(r"\r?\n\s*?\Z")
_TEXT_BEFORE = re.compile(r"(?:\A|\r?\n)\s*?\Z")
_LINE_AFTER = re.compile(r"\s*?\r?\n")
_TEXT_AFTER = re.compile(r"\s*?(?:\r?\n|\Z)")


@dataclass(slots=True)
class Content:
    """Characters that stand for themselves."""

    text: str
    original: str = ""
    left_stripped: bool = False
    right_stripped: bool = False


@dataclass(slots=True)
class Value:
    """A name to be looked up."""

    name: str
    strip: tuple[bool, bool] = (False, False)


@dataclass(slots=True)
class Comment:
    """Nothing."""

    strip: tuple[bool, bool] = (False, False)


@dataclass(slots=True)
class Block:
    """`{{#if name}} … {{else}} … {{/if}}` and its relatives."""

    helper: str
    name: str
    program: list[Node] = field(default_factory=list)
    inverse: list[Node] | None = None
    open_strip: tuple[bool, bool] = (False, False)
    else_strip: tuple[bool, bool] = (False, False)
    close_strip: tuple[bool, bool] = (False, False)
    is_inverted: bool = False
    is_chained: bool = False


Node: TypeAlias = "Content | Value | Comment | Block"
HELPERS = ("if", "unless", "each", "with")


class _Parser:
    def __init__(self, template: str) -> None:
        self.template = template
        self.place = 0

    def fail(self, message: str) -> UsageError:
        return UsageError(
            f"The story string is no valid template: {message}.", where="context.story_string", found=self.template[:80]
        )

    def body(self, stop: tuple[str, ...]) -> tuple[list[Node], str, tuple[bool, bool]]:
        """Nodes up to a tag that begins with one of `stop`: the nodes, that tag's text, its strip marks."""
        nodes: list[Node] = []
        while True:
            found = _TAG.search(self.template, self.place)
            end = found.start() if found else len(self.template)
            if found and found[0].startswith("\\"):
                self.add(nodes, self.template[self.place : end] + found[0][1:])
                self.place = found.end()
                continue
            self.add(nodes, self.template[self.place : end])
            self.place = found.end() if found else end
            if found is None:
                if stop:
                    raise self.fail("a block is not closed")
                return nodes, "", (False, False)
            strip = (found["left"] is not None, found["right"] is not None)
            if found["body"] is None:
                nodes.append(Comment(strip))
                continue
            text = found["body"].strip()
            if stop and (text in {"else", "^"} or text.startswith(("else ", "/"))):
                return nodes, text, strip
            nodes.append(self.tag(text, strip))

    @staticmethod
    def add(nodes: list[Node], text: str) -> None:
        if not text:
            return
        if nodes and isinstance(nodes[-1], Content):
            text = nodes.pop().text + text  # type: ignore[union-attr]
        nodes.append(Content(text, text))

    def tag(self, text: str, strip: tuple[bool, bool]) -> Node:
        if text.startswith("#"):
            return self.block(text[1:].strip(), strip, is_inverted=False)
        if text.startswith("^"):
            return self.block(text[1:].strip(), strip, is_inverted=True)
        if not text or text.startswith("/"):
            raise self.fail("a block is closed that is not open" if text else "a tag is empty")
        return Value(self.name(text.removeprefix("&").strip().split()[0]), strip)

    def name(self, text: str) -> str:
        if not all(_NAME.fullmatch(part) for part in re.split(r"(/)|\.(?!\.)", text) if part):
            raise self.fail(f"{quote(text)} is no name")
        return text

    def block(self, text: str, strip: tuple[bool, bool], *, is_inverted: bool) -> Block:
        words = text.split()
        if not words:
            raise self.fail("a block has no name")
        helper = words[0] if words[0] in HELPERS and len(words) > 1 else ""
        block = Block(helper, self.name(words[1] if helper else words[0]), open_strip=strip, is_inverted=is_inverted)
        block.program, text, mark = self.body(("/",))
        self.finish(block, words[0], text, mark)
        return block

    def finish(self, block: Block, opened: str, text: str, mark: tuple[bool, bool]) -> None:
        """Read `else` branches up to the closing tag."""
        if text.startswith("/"):
            if text[1:].strip() != opened:
                raise self.fail(f"{{{{#{opened}}}}} is closed by {{{{{text}}}}}")
            block.close_strip = mark
            return
        block.else_strip = mark
        condition = text.removeprefix("else").removeprefix("^").strip()
        if condition:
            words = condition.split()
            helper = words[0] if words[0] in HELPERS and len(words) > 1 else ""
            chained = Block(helper, self.name(words[1] if helper else words[0]), is_chained=True, open_strip=mark)
            chained.program, text, mark = self.body(("/",))
            self.finish(chained, opened, text, mark)
            block.inverse, block.close_strip = [chained], chained.close_strip
            return
        block.inverse, text, mark = self.body(("/",))
        if not text.startswith("/"):
            raise self.fail("a block has two else branches")
        self.finish(block, opened, text, mark)


def parsed(template: str) -> list[Node]:
    """The nodes of a template, white space settled.

    Raises:
        UsageError: the template is not valid.
    """
    nodes, _, _ = _Parser(template).body(())
    _settle(nodes, is_root=True)
    return nodes


def _settle(body: list[Node], *, is_root: bool) -> None:
    """White space: tags alone on their line take the line away, `~` takes everything up to the next text."""
    for number, node in enumerate(body):
        if isinstance(node, Content):
            continue
        before, after = _ends_line(body, number, is_root), _starts_line(body, number, is_root)
        if isinstance(node, Block):
            opens, closes = _settle_block(node)
            strip = (node.open_strip[0], node.close_strip[1])
        else:
            opens = closes = False
            strip = node.strip
        if strip[1]:
            _cut_right(body, number + 1, everything=True)
        if strip[0]:
            _cut_left(body, number - 1, everything=True)
        if isinstance(node, Comment) and before and after:
            _cut_right(body, number + 1)
            _cut_left(body, number - 1)
        if isinstance(node, Block):
            if opens and before:
                _cut_right(node.program, 0)
                _cut_left(body, number - 1)
            if closes and after:
                _cut_right(body, number + 1)
                last = _last_branch(node)
                _cut_left(last, len(last) - 1)


def _last_branch(block: Block) -> list[Node]:
    branch = block.program if block.inverse is None else block.inverse
    if branch and isinstance(branch[-1], Block) and branch[-1].is_chained:
        return _last_branch(branch[-1])
    return branch


def _settle_block(block: Block) -> tuple[bool, bool]:
    """Settle the branches; whether the opening and the closing tag may stand alone on their lines."""
    _settle(block.program, is_root=False)
    if block.inverse is not None:
        _settle(block.inverse, is_root=False)
    first = _first_of(block.inverse) if block.inverse is not None else None
    last = _last_branch(block)
    opens = _starts_line(block.program, -1, False)
    closes = _ends_line(last, len(last), False)
    if block.open_strip[1]:
        _cut_right(block.program, 0, everything=True)
    if first is not None:
        if block.else_strip[0]:
            _cut_left(block.program, len(block.program) - 1, everything=True)
        if block.else_strip[1]:
            _cut_right(first, 0, everything=True)
        if _ends_line(block.program, len(block.program), False) and _starts_line(first, -1, False):
            _cut_left(block.program, len(block.program) - 1)
            _cut_right(first, 0)
    if block.close_strip[0] and not block.is_chained:
        _cut_left(last, len(last) - 1, everything=True)
    return opens, closes


def _first_of(inverse: list[Node]) -> list[Node]:
    """The branch that begins behind an `else`."""
    head = inverse[0] if inverse else None
    return head.program if isinstance(head, Block) and head.is_chained else inverse


def _ends_line(body: list[Node], number: int, is_root: bool) -> bool:
    """Whether the node before a place ends with a line start and blanks."""
    if number <= 0:
        return is_root
    node = body[number - 1]
    if not isinstance(node, Content):
        return False
    return bool((_TEXT_BEFORE if is_root and number == 1 else _LINE_BEFORE).search(node.original))


def _starts_line(body: list[Node], number: int, is_root: bool) -> bool:
    """Whether the node after a place begins with blanks and a line end."""
    if number + 1 >= len(body):
        return is_root
    node = body[number + 1]
    if not isinstance(node, Content):
        return False
    return bool((_TEXT_AFTER if is_root and number + 2 >= len(body) else _LINE_AFTER).match(node.original))


def _cut_right(body: list[Node], number: int, *, everything: bool = False) -> None:
    """Take white space from the start of a node."""
    node = body[number] if 0 <= number < len(body) else None
    if not isinstance(node, Content) or (not everything and node.right_stripped):
        return
    shorter = re.sub(r"\A\s+" if everything else r"\A[ \t]*\r?\n?", "", node.text)
    node.right_stripped = shorter != node.text
    node.text = shorter


def _cut_left(body: list[Node], number: int, *, everything: bool = False) -> None:
    """Take white space from the end of a node."""
    node = body[number] if 0 <= number < len(body) else None
    if not isinstance(node, Content) or (not everything and node.left_stripped):
        return
    shorter = re.sub(r"\s+\Z" if everything else r"[ \t]+\Z", "", node.text)
    node.left_stripped = shorter != node.text
    node.text = shorter


def rendered(nodes: list[Node], values: Mapping[str, Traced], missing: Callable[[str], Traced]) -> Traced:
    """A template with its values.

    Args:
        nodes: of `parsed`.
        values: texts by name; an empty text is false.
        missing: what a name gives that is none of the values.
    """
    return Traced.joined(_rendered(node, values, missing) for node in nodes)


def _rendered(node: Node, values: Mapping[str, Traced], missing: Callable[[str], Traced]) -> Traced:
    if isinstance(node, Content):
        return Traced.of(node.text, TEMPLATE)
    if isinstance(node, Comment):
        return EMPTY
    if isinstance(node, Value):
        found = _lookup(node.name, values)
        return missing(node.name) if found is None else found
    found = _lookup(node.name, values) or EMPTY
    holds = bool(found) and node.helper != "each"
    if (node.helper == "unless") is not node.is_inverted:
        holds = not holds
    inner = {"this": found, ".": found} if holds and node.helper in {"", "with"} and not node.is_inverted else values
    branch = node.program if holds else node.inverse or []
    return rendered(branch, inner, missing)


def _lookup(name: str, values: Mapping[str, Traced]) -> Traced | None:
    return values.get(name.removeprefix("this.").removeprefix("./"))
