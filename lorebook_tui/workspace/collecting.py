"""Work during which Python looks for no garbage: it makes much that lasts, and looking costs more than it finds."""

from __future__ import annotations

import gc
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def without_collections(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The same function, with the collector at rest while it runs. For commands that do one thing and end."""

    @wraps(function)
    def resting(*args: Parameters.args, **options: Parameters.kwargs) -> Result:
        was_on = gc.isenabled()
        gc.disable()
        try:
            return function(*args, **options)
        finally:
            if was_on:
                gc.enable()

    return resting
