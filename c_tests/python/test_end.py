#!/usr/bin/env python3
"""Scripts that end while functions written in Python are still to be called: each ends as it would without.

The library is the file that the environment variable GRAPHCAP_LIBRARY names; GRAPHCAP_DEVICE chooses the device."""

import subprocess
import sys
import unittest

SCRIPT = """
import ctypes, os, sys
gc = ctypes.CDLL(os.environ["GRAPHCAP_LIBRARY"])
P, Function = ctypes.c_void_p, ctypes.CFUNCTYPE(None, ctypes.c_void_p)
gc.gc_stream_create.argtypes = [P, P, P]
gc.gc_stream_begin_capture.argtypes = [P, ctypes.c_int32]
gc.gc_stream_end_capture.argtypes = [P, P]
gc.gc_stream_launch_host_func.argtypes = [P, Function, P, Function]
gc.gc_graph_instantiate.argtypes = [P, P, P]
gc.gc_graph_launch.argtypes = [P, P]
gc.gc_stream_destroy.argtypes = gc.gc_context_destroy.argtypes = [P]
gc.gc_graph_destroy.argtypes = gc.gc_graph_exec_destroy.argtypes = [P]

def ok(status):
    assert status == 0, status

def made(call, *arguments):
    out = P()
    ok(call(*arguments, ctypes.byref(out)))
    return out

calls = []
add, drop = Function(calls.append), Function(lambda data: None)
for kept in (add, drop):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))  # the interpreter's end must not free the code
context = made(gc.gc_context_create, None)
stream = made(gc.gc_stream_create, context, None)
ok(gc.gc_stream_begin_capture(stream, 0))
for _ in range(20):
    ok(gc.gc_stream_launch_host_func(stream, add, 1, drop))
graph = made(gc.gc_stream_end_capture, stream)
execs = [made(gc.gc_graph_instantiate, graph, None) for _ in range(10)]
for exec_ in execs:
    for _ in range(10):
        ok(gc.gc_graph_launch(exec_, stream))
if sys.argv[1] == "destroy":
    for exec_ in execs:
        ok(gc.gc_graph_exec_destroy(exec_))
    ok(gc.gc_graph_destroy(graph))
    ok(gc.gc_stream_destroy(stream))
    ok(gc.gc_context_destroy(context))
if sys.argv[1] == "raise":
    raise ValueError("the script's own mistake")
sys.exit(3)
"""


class Ends(unittest.TestCase):
    def ends(self, how, code):
        for _ in range(10):
            ended = subprocess.run([sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, code, ended.stderr)
            self.assertNotIn("FATAL", ended.stderr)

    def test_a_script_that_exits(self):
        self.ends("exit", 3)

    def test_a_script_that_raises(self):
        self.ends("raise", 1)

    def test_a_script_that_has_destroyed_all(self):
        self.ends("destroy", 3)


if __name__ == "__main__":
    unittest.main()
