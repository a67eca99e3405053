#!/usr/bin/env python3
"""The programs of docs/languages.md that come to a first replay: with graphcap_ffi.h in cffi and LuaJIT, and with
graphcap-api.json in ctypes. A program may have 25 lines.

The library is the file that the environment variable GRAPHCAP_LIBRARY names; they run on the host device."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In the sources, and where it is installed to.
PAGE = next(page for page in (ROOT / "docs/languages.md", ROOT / "share/doc/graphcap/docs/languages.md") if page.exists())
LINES = 25


def programs():
    """The programs of the page, by what runs them."""
    blocks = re.findall(r"^```(python|lua)\n(.*?)^```", PAGE.read_text(), flags=re.S | re.M)
    complete = [(language, block) for language, block in blocks if 'print("replayed"' in block]
    return {"luajit" if language == "lua" else "cffi" if "import cffi" in block else "ctypes": block for language, block in complete}


# A line behind each program, whose call fails.
WRONG = {
    "ctypes": "gc.gc_graph_launch(None, stream)",
    "cffi": "ok(gc.gc_graph_launch(ffi.NULL, stream))",
    "luajit": "ok(gc.gc_graph_launch(nil, stream))",
}


class FirstReplay(unittest.TestCase):
    def run_program(self, name, command):
        program = programs()[name]
        self.assertLessEqual(len(program.splitlines()), LINES)
        self.assertIn('"libgraphcap.so.0"', program)
        program = program.replace('"libgraphcap.so.0"', f'"{os.environ["GRAPHCAP_LIBRARY"]}"')
        environment = {**os.environ, "GRAPHCAP_DEVICE": "host"}
        # Its calls are checked: with one that fails the program fails.
        for text, status in ((program, 0), (program + WRONG[name], 1)):
            done = subprocess.run([*command, text], cwd=ROOT, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(done.stdout.split(), ["replayed", str(7 * 16)])

    def test_ctypes(self):
        self.run_program("ctypes", [sys.executable, "-c"])

    @unittest.skipUnless(importlib.util.find_spec("cffi"), "cffi is not installed")
    def test_cffi(self):
        self.run_program("cffi", [sys.executable, "-c"])

    @unittest.skipUnless(shutil.which("luajit"), "LuaJIT is not installed")
    def test_luajit(self):
        self.run_program("luajit", ["luajit", "-e"])


if __name__ == "__main__":
    unittest.main()
