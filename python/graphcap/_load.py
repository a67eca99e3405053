"""Finds and loads libgraphcap.so.0 when the package is imported."""

import os
import pathlib
import sys
import threading
import types

FOLDER = pathlib.Path(__file__).resolve().parent
OWN = FOLDER / "lib" / "libgraphcap.so.0"


def _imported() -> types.ModuleType:
    try:
        from . import _native  # noqa: PLC0415
    except ImportError as failed:
        if "interpreter" in str(failed):
            raise ImportError(
                "graphcap works in the main interpreter of a process only: its callbacks and its library are the process's. "
                "Import it there, and call it from there."
            ) from failed
        raise
    return _native


def load() -> None:
    """Loads the library: one that the process has, else the file that GRAPHCAP_LIBRARY names, else the package's own."""
    if sys.platform != "linux":
        raise ImportError(f"graphcap runs on Linux, and this is {sys.platform}")
    named = os.environ.get("GRAPHCAP_LIBRARY") or None
    _imported().load(named, str(OWN), threading.current_thread() is threading.main_thread())


load()
