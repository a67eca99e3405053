#!/usr/bin/env python3
"""The programs of docs/languages.md that come to a first replay: with cffi and graphcap_ffi.h, and with ctypes and
graphcap-api.json. A program may have 25 lines.

The library is the file that the environment variable GRAPHCAP_LIBRARY names; they run on the host device."""

import importlib.util
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINES = 25


def programs():
    """The programs of the page, by the module that they use."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/languages.md").read_text(), flags=re.S | re.M)
    complete = [block for block in blocks if 'print("replayed"' in block]
    return {"cffi" if "import cffi" in block else "ctypes": block for block in complete}


class FirstReplay(unittest.TestCase):
    def run_program(self, name):
        program = programs()[name]
        self.assertLessEqual(len(program.splitlines()), LINES)
        self.assertIn('"libgraphcap.so.0"', program)
        program = program.replace('"libgraphcap.so.0"', repr(os.environ["GRAPHCAP_LIBRARY"]))
        # A program that other lines follow, to see that its calls are checked.
        wrong = program + "\ngc.gc_graph_launch(None, stream)" if name == "ctypes" else program + "\nok(gc.gc_graph_launch(ffi.NULL, stream))"
        environment = {**os.environ, "GRAPHCAP_DEVICE": "host"}
        for text, status in ((program, 0), (wrong, 1)):
            done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stdout.split(), ["replayed", str(7 * 16)])

    def test_ctypes(self):
        self.run_program("ctypes")

    @unittest.skipUnless(importlib.util.find_spec("cffi"), "cffi is not installed")
    def test_cffi(self):
        self.run_program("cffi")


if __name__ == "__main__":
    unittest.main()
