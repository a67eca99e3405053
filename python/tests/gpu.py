"""Code that the tests on a GPU share."""

import gc
import importlib
import time

import pytest

import graphcap


def need(*names):
    """Skips a file without a GPU, or without a package; gives our modules of that name, and the packages."""
    found = [pytest.importorskip(name) for name in names]
    try:
        count = graphcap.device_count("cuda")
    except graphcap.Error:
        count = 0
    if not count:
        pytest.skip("there is no GPU", allow_module_level=True)
    return [importlib.import_module(f"graphcap.{name}") for name in names] + found


def comes(condition):
    """Waits until a condition holds that threads of the library bring about; false if it does not."""
    for _ in range(500):
        gc.collect()
        graphcap.live_handles()
        if condition():
            return True
        time.sleep(0.02)
    return False
