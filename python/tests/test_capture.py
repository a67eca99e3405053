"""Captures: what becomes a graph, what discards it, what is told."""

import gc
import threading
import warnings

import numpy
import pytest

import graphcap


def filled(stream, buffer, value=1):
    with graphcap.capture(stream) as captured:
        stream.fill(buffer, value)
    return captured


def test_replays_read_and_write_anew(context, stream, module):
    source, out = numpy.ones(4, "f4"), numpy.zeros(4, "f4")
    buffer = graphcap.Buffer(context, 4, "f4")
    with graphcap.capture(stream) as captured:
        stream.copy(buffer, source)
        stream.launch(module["double_kernel"], 1, 1, buffer)
        stream.copy(out, buffer)
    assert not out.any()
    exec = captured.instantiate()
    for value in range(5):
        source[:] = value
        exec.replay()
        stream.synchronize()
        assert out.tolist() == [2.0 * value] * 4
    assert exec.num_replays == 5


def test_the_graph_keeps_what_it_uses(context, stream, module):
    host = graphcap.HostBuffer(context, 4, "f4")
    host.numpy()[:] = 3
    out = numpy.zeros(4, "f4")
    buffer = graphcap.Buffer(context, 4, "f4")
    with graphcap.capture(stream) as captured:
        stream.copy(buffer, numpy.full(4, 5, "f4"))
        stream.launch(module["scale"], 4, 1, buffer, 2.0)
        stream.copy(out, buffer)
    exec = captured.graph.instantiate()
    buffer.close()
    module.close()
    captured.graph.close()
    del captured, buffer, module
    gc.collect()
    rubbish = [numpy.full(4, 9, "f4") for _ in range(1000)]
    exec.launch(stream)
    stream.synchronize()
    assert out.tolist() == [10.0] * 4
    assert rubbish


def test_an_exception_discards_the_capture_and_goes_on(context, stream):
    buffer = graphcap.Buffer(context, 16)
    with pytest.raises(KeyError, match="mine"), graphcap.capture(stream) as captured:
        stream.fill(buffer, 1)
        raise KeyError("mine")
    assert not stream.is_capturing
    with pytest.raises(graphcap.CaptureError, match="has no graph"):
        _ = captured.graph
    assert filled(stream, buffer).graph.node_count == 1


def test_a_broken_capture_tells_its_story(context, stream):
    buffer = graphcap.Buffer(context, 16)
    with pytest.raises(graphcap.CaptureError) as broken, graphcap.capture(stream):
        stream.fill(buffer, 1)
        stream.synchronize()
    assert "gc_stream_synchronize" in str(broken.value)
    assert broken.value.status in range(900, 909)
    assert broken.value.story == stream.capture_story() != ""
    with pytest.raises(graphcap.CaptureError) as late, graphcap.capture(stream):
        stream.fill(buffer, 1)
        try:
            stream.synchronize()
        except graphcap.CaptureError:
            pass
    assert late.value.call == "gc_capture_end"
    assert "gc_stream_synchronize" in late.value.story
    assert not stream.is_capturing


def test_an_exception_of_a_broken_capture_has_the_story_as_a_note(context, stream):
    with pytest.raises(RuntimeError, match="mine") as raised, graphcap.capture(stream):
        try:
            stream.synchronize()
        except graphcap.CaptureError:
            pass
        raise RuntimeError("mine")
    assert any("gc_stream_synchronize" in note for note in raised.value.__notes__)


def test_other_streams_join_by_events(context, stream):
    other = graphcap.Stream(context)
    buffers = [graphcap.Buffer(context, 16) for _ in range(2)]
    with graphcap.capture(stream) as captured:
        stream.fill(buffers[0], 1)
        other.wait(stream.record())
        other.fill(buffers[1], 2)
        stream.wait(other.record())
        stream.fill(buffers[0], 3)
    assert captured.graph.node_count == 3
    with pytest.raises(graphcap.CaptureError) as unjoined, graphcap.capture(stream):
        other.wait(stream.record())
        other.fill(buffers[1], 2)
    assert unjoined.value.status_name == "GRAPHCAP_ERROR_CAPTURE_UNJOINED"
    assert not other.is_capturing


def test_a_capture_that_is_left_open_warns(context, stream):
    capture = graphcap.capture(stream)
    capture.__enter__()
    with pytest.warns(ResourceWarning, match="was left open, and is discarded"):
        del capture
        gc.collect()
    assert not stream.is_capturing


def test_an_abort(context, stream):
    with graphcap.capture(stream) as captured:
        stream.fill(graphcap.Buffer(context, 4), 0)
        captured.abort()
    assert not stream.is_capturing
    assert captured.closed


def test_a_capture_cannot_be_begun_twice(context, stream):
    captured = filled(stream, graphcap.Buffer(context, 4))
    with pytest.raises(ValueError, match="begun already"):
        captured.__enter__()


def test_plain_memory_in_a_capture_of_others_is_refused(context, stream):
    from graphcap import raw

    raw.gc_stream_begin_capture(stream, raw.GRAPHCAP_CAPTURE_MODE_GLOBAL)
    buffer = graphcap.Buffer(context, 4)
    try:
        with pytest.raises(TypeError, match=r"not graphcap.capture\(\).*HostBuffer"):
            stream.copy(buffer, b"abcd")
        stream.copy(buffer, graphcap.HostBuffer(context, 4))
    finally:
        raw.gc_graph_destroy(raw.gc_stream_end_capture(stream))


def test_a_capture_into_a_graph(context, stream):
    buffer = graphcap.Buffer(context, 16)
    graph = graphcap.Graph(context)
    first = graph.add_fill(buffer, 0)
    with graphcap.capture(stream, into=graph, after=[first]) as captured:
        stream.fill(buffer, 1)
    assert captured.graph.node_count == graph.node_count == 2
    assert [(a.id, b.id) for a, b in graph.edges] == [(first.id, graph.nodes[1].id)]


def test_bad_arguments(stream):
    with pytest.raises(ValueError, match="mode must be"):
        graphcap.capture(stream, "loose")


def test_host_functions_run_once_a_replay(context, stream):
    seen = []
    with graphcap.capture(stream) as captured:
        stream.call(lambda: seen.append(threading.get_ident()))
    exec = captured.instantiate()
    for _ in range(3):
        exec.replay()
    stream.synchronize()
    assert len(seen) == 3


def test_a_host_function_that_raises(stream):
    def fails():
        raise LookupError("no such thing")

    with graphcap.Context("host") as context:
        stream = graphcap.Stream(context)
        stream.call(fails)
        with pytest.raises(graphcap.CallbackError, match="no such thing"):
            stream.synchronize()
        context.reset()
        with pytest.raises(graphcap.StateError):
            stream.synchronize()
        graphcap.Stream(context).synchronize()


def test_what_a_graph_keeps_goes_with_it(context, stream):
    class Kept:
        def __call__(self):
            pass

    import weakref

    kept = Kept()
    gone = weakref.ref(kept)
    with graphcap.capture(stream) as captured:
        stream.call(kept)
    exec = captured.graph.instantiate()
    exec.launch(stream)
    stream.synchronize()
    del kept, captured
    gc.collect()
    assert gone() is not None
    exec.close()
    for _ in range(1000):
        graphcap.Event(context)
        if gone() is None:
            break
        threading.Event().wait(0.01)
    assert gone() is None


def test_scripts_actors_and_caches_pass_exceptions_on(context, stream):
    def fails(*_):
        raise KeyError("mine")

    script = graphcap.Script(context)
    script.push(fails, name="bad")
    with pytest.raises(graphcap.CallbackError) as failed:
        script.record(stream)
    assert isinstance(failed.value.__cause__, KeyError)
    assert any("op 0 of the script failed: bad" in note for note in failed.value.__notes__)
    with graphcap.Actor(context) as actor:
        with pytest.raises(graphcap.CallbackError) as failed:
            actor.record(script).result(timeout=60)
        assert isinstance(failed.value.__cause__, KeyError)
    cache = graphcap.GraphCache(context, fails)
    with pytest.raises(KeyError, match="mine"):
        cache.launch(1, stream)
    with pytest.raises(TypeError, match="key must be bytes"):
        cache.launch([1], stream)


def test_await(context, stream):
    import asyncio

    graph = filled(stream, graphcap.Buffer(context, 4)).graph

    async def main():
        with graphcap.Actor(context) as actor:
            exec = await actor.adopt(graph)
            await asyncio.gather(*(actor.launch(exec) for _ in range(10)))
            return exec.num_replays

    assert asyncio.run(main()) == 10


def test_an_actor_that_is_not_closed_warns(context):
    actor = graphcap.Actor(context)
    with pytest.warns(ResourceWarning, match="was not closed"):
        del actor
        gc.collect()


def test_no_warning_for_what_loses_nothing(context, stream):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec = filled(stream, graphcap.Buffer(context, 4)).instantiate()
        exec.replay()
        del exec
        gc.collect()
