"""Random numbers, Fourier transforms, conditional nodes, copies by one call."""

import numpy
import pytest

import graphcap


def test_each_replay_draws_the_next_numbers(context, stream):
    rng, eager = (graphcap.Rng(stream, 42) for _ in range(2))
    buffer, wanted = (graphcap.Buffer(context, 8, "f4") for _ in range(2))
    with graphcap.capture(stream) as captured:
        rng.fill(stream, buffer)
    exec = captured.instantiate()
    seen = []
    for _ in range(3):
        exec.replay()
        eager.fill(stream, wanted)
        seen.append(buffer.copy_to_host().tolist())
        assert seen[-1] == wanted.copy_to_host().tolist()
    assert seen[0] != seen[1] != seen[2]
    assert rng.offset(stream) == 24
    rng.set_offset(stream, 8)
    exec.replay()
    assert buffer.copy_to_host().tolist() == seen[1]
    rng.fill(stream, buffer.part(0, 16), repeat=4)
    assert buffer.copy_to_host().tolist() == seen[0][4:] + seen[1][4:]
    rng.set_seed(stream, 7)
    assert rng.seed(stream) == 7 and rng.offset(stream) == 0
    with pytest.raises(ValueError, match="6 bytes"):
        rng.fill(stream, buffer.part(0, 6))
    with pytest.raises(graphcap.StateError), graphcap.capture(stream):
        rng.set_seed(stream, 1)


def test_transforms_there_and_back(context, stream):
    numbers = numpy.random.default_rng(1).standard_normal((3, 10)).astype("f4")
    there, back = (graphcap.FftPlan(context, 10, direction, batch=3) for direction in ("r2c", "c2r"))
    data, spectrum = graphcap.Buffer.of(context, numbers), graphcap.Buffer(context, (3, 6, 2), "f4")
    with graphcap.capture(stream) as captured:
        there.transform(stream, spectrum, data)
        back.transform(stream, data, spectrum)
    exec = captured.instantiate()
    there.close()
    exec.replay()
    found = spectrum.copy_to_host()
    assert numpy.allclose(found[..., 0] + 1j * found[..., 1], numpy.fft.rfft(numbers), atol=1e-5)
    assert numpy.allclose(data.copy_to_host(), 10 * numbers, atol=1e-4)
    with pytest.raises(ValueError, match="source and to have 120 and 120"):
        back.transform(stream, data, data)
    with pytest.raises(ValueError, match="'r2c' or 'c2r'"):
        graphcap.FftPlan(context, 10, "c2c")
    with pytest.raises(ValueError, match="batch"):
        graphcap.FftPlan(context, 10, "r2c", batch=0)


@pytest.mark.parametrize(("value", "wanted"), [(0, [0, 0, 9]), (1, [7, 0, 0]), (2, [0, 8, 0]), (3, [0, 0, 0])])
def test_values_of_memory_decide_which_body_runs(context, stream, value, wanted):
    given, data = graphcap.Scalar(stream, value, "u4"), graphcap.Buffer.of(context, numpy.zeros(3, "u4"))
    graph = graphcap.Graph(context)
    condition, either = graphcap.Condition(graph), graphcap.Condition(graph)
    sets = [one.add_set(given) for one in (condition, either)]
    switch = condition.add_switch(3, after=sets)
    switch.inner(1).add_fill(data.part(0, 4), 7, size=4)
    switch.inner(2).add_fill(data.part(4, 4), 8, size=4)
    decided = either.add_if(otherwise=True, after=[switch])
    decided.inner(1).add_fill(data.part(8, 4), 9, size=4)
    graph.instantiate().launch(stream)
    assert data.copy_to_host().tolist() == wanted
    given.update(stream, 1)
    with pytest.raises(graphcap.Error):
        condition.add_if()


def test_a_condition_is_set_within_a_capture(context, stream):
    value, data = graphcap.Buffer.of(context, numpy.array([1, 0], "u4")), graphcap.Buffer.of(context, numpy.zeros(1, "u4"))
    graph = graphcap.Graph(context)
    condition = graphcap.Condition(graph, default=1)
    with graphcap.capture(stream, into=condition.add_while().inner()) as captured:
        stream.fill(data, 5, size=4)
        stream.copy(value.part(0, 4), value.part(4, 4))
        condition.set(stream, value)
    assert captured.graph.node_count == 3
    graph.instantiate().launch(stream)
    stream.synchronize(timeout=60)
    assert data.copy_to_host().tolist() == [5] and value.copy_to_host().tolist() == [0, 0]


def test_copies_by_one_call(context, stream):
    buffer, pinned = graphcap.Buffer.of(context, numpy.arange(4, dtype="u4")), graphcap.HostBuffer(context, 2, "u4")
    for is_captured in (False, True):
        pairs = ((pinned, buffer.part(0, 8)), (buffer.part(8, 4), buffer.part(12, 4)))
        if is_captured:
            with graphcap.capture(stream) as captured:
                stream.copy_all(*pairs)
            assert [node.kind for node in captured.graph.nodes] == ["memcpy", "memcpy"]
            captured.instantiate().replay()
        else:
            stream.copy_all(*pairs)
        stream.synchronize()
        assert pinned.numpy().tolist() == [0, 1] and buffer.copy_to_host().tolist() == [0, 1, 3, 3]
        buffer.copy_from(numpy.arange(4, dtype="u4"))
    stream.copy_all()
    with pytest.raises(TypeError, match=r"copy\(\) takes plain memory"):
        stream.copy_all((buffer, numpy.zeros(4, "u4")))
    with pytest.raises(ValueError, match="to has 16 bytes, and source 8"):
        stream.copy_all((buffer, buffer.part(0, 8)))


def with_a_nan(context):
    """A graph of two nodes, of which the second one writes a NaN, and a function that looks for it."""
    scores = graphcap.Buffer.of(context, numpy.zeros(2, "f4"))
    graph = graphcap.Graph(context)
    one = graph.add_fill(scores.part(0, 4), 0x3F800000, size=4)
    nan = graph.add_fill(scores.part(4), 0x7FC00000, size=4, after=[one])
    return graph, nan, lambda: not numpy.isnan(scores.copy_to_host()).any()


def test_a_bisection_takes_options(context):
    graph, nan, is_good = with_a_nan(context)
    report = graph.bisect(is_good, repeats=2)
    assert (report.outcome, report.nodes, report.values, report.recorded_bad) == ("nodes", [nan], [1], 2)
    assert report.is_confirmed
    assert not report.is_stopped
    report = graph.bisect(is_good, max_replays=1)
    assert (report.outcome, report.replays, report.is_stopped, report.is_confirmed) == ("unknown", 1, True, False)
    with pytest.raises(graphcap.Error, match="the nodes write 8 bytes"):
        graph.bisect(is_good, max_bytes=4)
    graph.add_call(lambda: None)
    with pytest.raises(graphcap.Error, match="permit host functions"):
        graph.bisect(is_good)
    assert graph.bisect(is_good, permits=graphcap.raw.GRAPHCAP_PERMIT_HOST_FUNCTIONS).nodes == [nan]


def test_a_judge_that_fails_ends_a_bisection(context):
    graph, _, _ = with_a_nan(context)
    with pytest.raises(TypeError, match="not None"):
        graph.bisect(lambda: None)
    with pytest.raises(ZeroDivisionError):
        graph.bisect(lambda: 1 // 0)
