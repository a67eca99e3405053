"""Many calls, captures and replays: memory is flat, and references are exact. GRAPHCAP_PYTHON_SOAK is their number."""

import gc
import os
import sys

import numpy
import pytest

import graphcap

COUNT = int(os.environ.get("GRAPHCAP_PYTHON_SOAK", "4000"))


def resident():
    """Bytes of memory that the process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def flat(work, *objects):
    """Does the work many times; the memory afterwards is that after the first part, and the references to the objects are as before."""
    for _ in range(COUNT // 4):
        work()
    gc.collect()
    graphcap.live_handles()
    before, handles = resident(), graphcap.live_handles()
    references = [sys.getrefcount(part) for part in objects]
    for _ in range(COUNT - COUNT // 4):
        work()
    gc.collect()
    assert graphcap.live_handles() == handles
    assert [sys.getrefcount(part) for part in objects] == references
    assert resident() - before < 4 << 20


@pytest.mark.parametrize("device", ["host", "cuda"])
def test_calls_captures_and_replays(device):
    try:
        context = graphcap.Context(device)
    except graphcap.Error:
        pytest.skip("there is no GPU")
    stream, buffer = graphcap.Stream(context), graphcap.Buffer(context, 64)
    event = graphcap.Event(context)
    flat(lambda: graphcap.raw.gc_event_record(event, stream, 0), event, stream)
    stream.synchronize()
    flat(lambda: stream.wait(event), event, stream)
    stream.synchronize()
    flat(lambda: stream.record(event), event, stream)
    stream.synchronize()

    def refused():
        try:
            graphcap.raw.gc_event_record(event, 7, 0)
        except graphcap.InvalidHandleError:
            return

    flat(refused, event)

    function = [].clear

    def captured():
        with graphcap.capture(stream) as made:
            stream.fill(buffer, 1)
            stream.call(function)
        return made

    flat(captured, stream, buffer, function)
    exec = captured().instantiate()

    def replayed(left=[0]):
        exec.replay()
        left[0] += 1
        if left[0] % 64 == 0:
            stream.synchronize()

    flat(replayed, exec, stream)
    stream.synchronize()
    numbers = numpy.zeros(4, "u1")
    if device == "host":
        flat(lambda: graphcap.Buffer.wrap(context, numbers), numbers, context)
        flat(lambda: numpy.from_dlpack(buffer), buffer)
    else:
        flat(lambda: buffer.__dlpack__(stream=-1, max_version=(1, 0)), buffer)
