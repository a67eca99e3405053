"""The GIL, signals, forks and the end of the interpreter: each script ends as it would without graphcap."""

import signal
import subprocess
import sys
import time

import pytest

PRELUDE = """
import graphcap, os, signal, sys, threading, time, gc
context = graphcap.Context("host")
stream = graphcap.Stream(context)
buffer = graphcap.Buffer(context, 64)
def replayed(work):
    with graphcap.capture(stream) as captured:
        work()
    return captured.graph.instantiate()
"""


def run(script, *, code=0):
    done = subprocess.run([sys.executable, "-X", "dev", "-c", PRELUDE + script], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert "FATAL" not in done.stderr
    assert "Fatal" not in done.stderr
    return done


ENDINGS = {
    "work in flight": "exec = replayed(lambda: stream.call(lambda: time.sleep(0.001)))\nfor _ in range(200): exec.launch(stream)\nsys.exit(3)",
    "an exception": "exec = replayed(lambda: stream.call(lambda: None))\nfor _ in range(200): exec.launch(stream)\nraise ValueError",
    "a function that waits": "stream.call(lambda: time.sleep(0.3))\ntime.sleep(0.05)\nsys.exit(3)",
    "a daemon thread that launches": (
        "exec = replayed(lambda: stream.fill(buffer, 1))\n"
        "def run():\n"
        "    while True:\n"
        "        exec.launch(stream); stream.synchronize()\n"
        "for _ in range(3): threading.Thread(target=run, daemon=True).start()\n"
        "time.sleep(0.1)\nsys.exit(3)"
    ),
    "an actor and a capture that are open": (
        "exec = replayed(lambda: stream.fill(buffer, 1))\nactor = graphcap.Actor(context)\n"
        "futures = [actor.launch(exec) for _ in range(50)]\ncapture = graphcap.capture(stream)\ncapture.__enter__()\nsys.exit(3)"
    ),
    "another thread that waits": (
        "gate = graphcap.Scalar(stream, 0, 'u4')\nstream.wait_value(gate.part, 1)\n"
        "threading.Thread(target=stream.synchronize, daemon=True).start()\ntime.sleep(0.1)\nsys.exit(3)"
    ),
}


@pytest.mark.parametrize("how", list(ENDINGS))
def test_a_script_ends(how):
    for _ in range(3):
        run(ENDINGS[how], code=1 if how == "an exception" else 3)


def test_a_script_that_closes_all_leaves_nothing():
    run(
        "exec = replayed(lambda: stream.call(lambda: None))\nexec.launch(stream)\nstream.synchronize()\n"
        "for made in (exec, buffer, stream, context): made.close()\n"
        "assert graphcap.live_handles() == 0, graphcap.live_handles()\n"
    )


def test_ctrl_c_ends_a_wait():
    # A shell has what it starts in the background ignore the signal, and processes pass that on.
    script = PRELUDE + (
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "gate = graphcap.Scalar(stream, 0, 'u4')\nstream.wait_value(gate.part, 1)\nevent = stream.record()\n"
        "for wait in (stream.synchronize, event.synchronize, context.synchronize):\n"
        "    try:\n        print('waiting', flush=True)\n        wait()\n"
        "    except KeyboardInterrupt:\n        print('ended', flush=True)\n"
        "other = graphcap.Stream(context, non_blocking=True)\ngate.update(other, 1)\nstream.synchronize()\nprint('done', flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            assert process.stdout.readline() == "waiting\n"
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "ended\n", process.stderr.read()
        assert process.stdout.readline() == "done\n", process.stderr.read()
    assert process.returncode == 0


def test_a_timeout():
    run(
        "gate = graphcap.Scalar(stream, 0, 'u4')\nstream.wait_value(gate.part, 1)\n"
        "for wait in (stream.synchronize, context.synchronize, stream.record().synchronize):\n"
        "    try:\n        wait(timeout=0.01)\n        raise SystemExit('it waited for nothing')\n"
        "    except TimeoutError as passed:\n        assert isinstance(passed, graphcap.Error)\n"
        "gate.update(graphcap.Stream(context, non_blocking=True), 1)\nstream.synchronize(timeout=60)\n"
    )


def test_a_fork():
    run(
        "import warnings\nwarnings.simplefilter('ignore')\nexec = replayed(lambda: stream.fill(buffer, 1))\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n        exec.launch(stream)\n"
        "    except graphcap.ForkedError:\n        del exec, buffer\n        gc.collect()\n        sys.exit(7)\n"
        "    sys.exit(1)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
        "exec.launch(stream)\nstream.synchronize()\n"
    )


def test_a_fork_while_threads_are_inside():
    run(
        "import warnings\nwarnings.simplefilter('ignore')\n"
        "def sleeper(): time.sleep(0.5)\nstream.call(sleeper)\ntime.sleep(0.1)\n"
        "child = os.fork()\n"
        "if child == 0: sys.exit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
        "stream.synchronize()\n"
    )


def test_an_import_on_another_thread():
    script = "import threading\nthread = threading.Thread(target=lambda: __import__('graphcap'))\nthread.start(); thread.join()\n" + PRELUDE
    done = subprocess.run(
        [sys.executable, "-c", script + "stream.call(lambda: None)\nstream.synchronize()\nprint('done')"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_the_gil_is_released_in_waits():
    run(
        "gate = graphcap.Scalar(stream, 0, 'u4')\nstream.wait_value(gate.part, 1)\n"
        "waiter = threading.Thread(target=stream.synchronize)\nwaiter.start()\n"
        "gate.update(graphcap.Stream(context, non_blocking=True), 1)\nwaiter.join(timeout=60)\nassert not waiter.is_alive()\n"
    )


def test_threads_that_call_and_are_called():
    run(
        "seen = []\n"
        "def run():\n"
        "    mine = graphcap.Stream(context)\n"
        "    with graphcap.capture(mine, 'thread_local') as captured:\n"
        "        mine.call(lambda: seen.append(1))\n"
        "    exec = captured.graph.instantiate()\n"
        "    for _ in range(200): exec.launch(mine)\n"
        "    mine.synchronize()\n"
        "threads = [threading.Thread(target=run) for _ in range(4)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(seen) == 800, len(seen)\n"
    )


@pytest.mark.parametrize(
    "work",
    [
        "exec.launch(stream)",
        "graphcap.Buffer(context, 64).close()",
        "stream.call(lambda: None); stream.synchronize()",
        "captured = graphcap.capture(stream); captured.__enter__(); stream.fill(buffer, 1); captured.__exit__(None, None, None)",
        "stream.copy(buffer, bytes(64)); stream.copy(room, buffer)",
        "numpy.asarray(buffer); numpy.from_dlpack(buffer)",
        "graphcap.raw.gc_stream_is_complete(stream); graphcap.raw.gc_buffer_size(buffer)",
        "refused(graphcap.raw.gc_graph_launch, 1, 2)",
        "stream.launch(kernel, 1, 1, floats, 1.0)",
    ],
)
def test_memory_stays_flat(work):
    run(
        "import numpy, resource\n"
        "def refused(call, *arguments):\n"
        "    try: call(*arguments)\n"
        "    except graphcap.Error: pass\n"
        "@graphcap.host_kernel('f4[:], f4')\ndef kernel(block, data, factor): pass\n"
        "kernel = graphcap.Module(context, kernels=[kernel])['kernel']\nfloats = graphcap.Buffer(context, 4, 'f4')\n"
        "exec = replayed(lambda: stream.fill(buffer, 1))\nroom = bytearray(64)\n"
        "work = compile(" + repr(work) + ", 'work', 'exec')\n"
        "def rss():\n"
        "    with open('/proc/self/statm') as file: return int(file.read().split()[1]) * resource.getpagesize()\n"
        "def many(count):\n"
        "    for number in range(count):\n"
        "        exec_(work)\n"
        "        if number % 100 == 0: stream.synchronize()\n"
        "    stream.synchronize(); gc.collect()\n"
        "scope = globals()\n"
        "exec_ = lambda code: __builtins__.exec(code, scope)\n"
        "many(2000)\nbefore, handles, objects = rss(), graphcap.live_handles(), len(gc.get_objects())\n"
        "many(4000)\n"
        "grown = rss() - before\n"
        "for _ in range(200):\n"
        "    graphcap._native.drop_kept()\n"
        "    if graphcap.live_handles() <= handles: break\n"
        "    time.sleep(0.01)\n"
        "assert graphcap.live_handles() <= handles, (graphcap.live_handles(), handles)\n"
        "assert len(gc.get_objects()) <= objects + 50, (len(gc.get_objects()), objects)\n"
        "assert grown < 2 << 20, grown\n"
    )
