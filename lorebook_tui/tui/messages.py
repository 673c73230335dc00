"""Facts that workers report to the workbench. Each names the replay it belongs to, so that what is stale is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.prompt.views import PromptView
    from lorebook_tui.errors import LorebookError
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.tui.replay import Picture, Prospect, Remedies, Replay
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.screens.workbench import Workbench
    from lorebook_tui.tui.views.turn_diff import Diffs
    from lorebook_tui.workspace.conflict import ThreeWay
    from lorebook_tui.workspace.files import Loaded, Source
    from lorebook_tui.workspace.recovery import PendingSession
    from lorebook_tui.workspace.store import Saved


class BooksRead(Message):
    """The files are read."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene


class SceneOpened(Message):
    """The files are read, and the engine is loaded."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene


class WorkbenchLoaded(Message):
    """The workbench can be shown."""

    def __init__(self, workbench: type[Workbench], scene: Scene) -> None:
        super().__init__()
        self.workbench = workbench
        self.scene = scene


class WorkFailed(Message):
    """A worker met an error that the user can understand."""

    def __init__(self, error: LorebookError, replay: Replay | None = None) -> None:
        super().__init__()
        self.error = error
        self.replay = replay
        """None: nothing could be opened at all."""


class VocabularyLoaded(Message):
    """Tokens can be counted as the scenario asks."""

    def __init__(self, counter: TokenCounter, estimated: Replay, exact: Replay) -> None:
        super().__init__()
        self.counter = counter
        self.estimated = estimated
        """The replay that was current when it loaded."""
        self.exact = exact
        """The same, counted by the new counter."""


class TurnsReplayed(Message):
    """More turns of the replay are known."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay

    def can_replace(self, message: Message) -> bool:
        """Only the newest count matters."""
        return isinstance(message, TurnsReplayed) and message.replay is self.replay


class TurnPictured(Message):
    """A turn was assembled in full, and the chosen entry explained with it."""

    def __init__(self, picture: Picture, index: int | None, explanation: Explanation | None) -> None:
        super().__init__()
        self.picture = picture
        self.index = index
        """Load index of the entry that was chosen when the work began."""
        self.explanation = explanation


class PromptAssembled(Message):
    """The prompt of a turn is known, or why there is none."""

    def __init__(self, picture: Picture, prompt: PromptView | None, trouble: str = "") -> None:
        super().__init__()
        self.picture = picture
        self.prompt = prompt
        self.trouble = trouble


class EntryExplained(Message):
    """It is known why an entry is in or out."""

    def __init__(self, picture: Picture, index: int, explanation: Explanation) -> None:
        super().__init__()
        self.picture = picture
        self.index = index
        self.explanation = explanation


class RemediesFound(Message):
    """It is known what would change the verdict about an entry."""

    def __init__(self, picture: Picture, index: int, remedies: Remedies) -> None:
        super().__init__()
        self.picture = picture
        self.index = index
        self.remedies = remedies


class DiffsFound(Message):
    """It is known what is different at a turn from before the last edit, and from the turn before."""

    def __init__(self, picture: Picture, diffs: Diffs) -> None:
        super().__init__()
        self.picture = picture
        self.diffs = diffs


class ProspectsFound(Message):
    """More entries have their odds and margins at a turn."""

    def __init__(self, picture: Picture, prospects: tuple[Prospect, ...], *, is_last: bool) -> None:
        super().__init__()
        self.picture = picture
        self.prospects = prospects
        self.is_last = is_last
        """Whether the job ends with them."""


class NearMissesFound(Message):
    """More entries were looked at for keys that nearly matched. All by load index."""

    def __init__(self, picture: Picture, judged: frozenset[int], near: frozenset[int]) -> None:
        super().__init__()
        self.picture = picture
        self.judged = judged
        self.near = near


class NearCellsFound(Message):
    """More cells of the grid were looked at for keys that nearly matched: (turn, load index)."""

    def __init__(self, replay: Replay, judged: frozenset[tuple[int, int]], near: frozenset[tuple[int, int]]) -> None:
        super().__init__()
        self.replay = replay
        self.judged = judged
        self.near = near


SaveResult = tuple["Source", "Saved | None", "LorebookError | None"]


class FilesSaved(Message):
    """Files were written, or could not be."""

    def __init__(self, results: tuple[SaveResult, ...], *, leave: bool) -> None:
        super().__init__()
        self.results = results
        self.leave = leave
        """Whether the program ends if all of them are safe."""


class ChangeFound(Message):
    """It is known how a file on the disk differs from what is open."""

    def __init__(self, source: Source, ways: ThreeWay | None, error: LorebookError | None = None) -> None:
        super().__init__()
        self.source = source
        self.ways = ways
        """None: it cannot be read any more."""
        self.error = error


class SessionsFound(Message):
    """What earlier sessions left in the journal."""

    def __init__(self, sessions: tuple[PendingSession, ...]) -> None:
        super().__init__()
        self.sessions = sessions


class FileChanged(Message):
    """Somebody else wrote a file that is open."""

    def __init__(self, ident: int, theirs: Loaded) -> None:
        super().__init__()
        self.ident = ident
        self.theirs = theirs
