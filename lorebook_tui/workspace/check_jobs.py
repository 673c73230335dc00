"""Work on many files in several processes, where they can be had and are worth it."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Job = TypeVar("Job")
    Done = TypeVar("Done")

_WORTH_A_POOL: Final = 1_500_000
"""Bytes below which starting processes takes longer than it saves."""


def results(function: Callable[[Job], Done], work: Sequence[Job], jobs: int, paths: Iterable[str]) -> Iterator[Done]:
    """What the jobs give, in their order; in this process where others cannot be had or are not worth it.

    Args:
        function: does a job; of a module, as other processes have to find it.
        work: the jobs.
        jobs: processes; 0: one per processor where that is worth it.
        paths: the files they are about.
    """
    done = 0
    processes = min(jobs or os.cpu_count() or 1, len(work))
    if processes > 1 and (jobs or sum(map(_size, paths)) >= _WORTH_A_POOL):
        try:
            for result in _pooled(function, work, processes):
                yield result
                done += 1
        except (OSError, ImportError, NotImplementedError, BrokenProcessPool):
            # No processes here (no semaphores, a sandbox, too little memory): the rest is done slowly.
            pass
    for job in work[done:]:
        yield function(job)


def _size(path: str) -> int:
    """Bytes of a file; 0 where there is none, such as behind a link that leads nowhere."""
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _pooled(function: Callable[[Job], Done], work: Sequence[Job], processes: int) -> Iterator[Done]:
    from multiprocessing import get_context  # noqa: PLC0415 - only where processes are wanted

    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        futures = [pool.submit(function, job) for job in work]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)
