"""The command `lorebook`, also as `python -m lorebook_tui`. `--version` is answered without loading anything."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    if sys.argv[1:] == ["--version"]:
        from lorebook_tui import __version__  # noqa: PLC0415 - the one thing that is needed

        sys.stdout.write(f"lorebook {__version__}\n")
        return
    try:
        from lorebook_tui.cli.app import run  # noqa: PLC0415 - after the quick answer

        run()
    except KeyboardInterrupt:  # before the command line looks after it itself
        sys.exit(130)


if __name__ == "__main__":
    main()
