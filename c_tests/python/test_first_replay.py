#!/usr/bin/env python3
"""The programs of examples/languages, by the commands that docs/languages.md gives. In Python and LuaJIT a program may have 25 lines.
A program whose tools are not installed is skipped.

The library is the file that the environment variable GRAPHCAP_LIBRARY names; they run on the host device."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In the sources, and where it is installed to.
PAGE = next(page for page in (ROOT / "docs/languages.md", ROOT / "share/doc/graphcap/docs/languages.md") if page.exists())
PROGRAMS = ROOT / "examples/languages"
LINES = 25


def blocks(title):
    """The blocks of code of a section of the page: (language, text)."""
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), flags=re.S | re.M)
    return re.findall(r"^```(\w+)\n(.*?)^```", section[1], flags=re.S | re.M)


def replay(file):
    """A program, without the comment that begins it."""
    return (PROGRAMS / file).read_text().split("\n", 1)[1]


def has(*commands):
    return all(shutil.which(command) for command in commands)


def has_koffi():
    """Node.js finds koffi: it is installed for this folder, or NODE_PATH names where it is."""
    return has("node") and subprocess.run(["node", "-e", 'require("koffi")'], capture_output=True).returncode == 0


class Interpreted(unittest.TestCase):
    """Programs that read graphcap_ffi.h or graphcap-api.json themselves."""

    def run_replay(self, program, command, wrong):
        self.assertLessEqual(len(program.splitlines()), LINES)
        self.run_program(program, command, wrong)

    def run_program(self, program, command, wrong):
        self.assertIn('"libgraphcap.so.0"', program)
        program = program.replace('"libgraphcap.so.0"', f'"{os.environ["GRAPHCAP_LIBRARY"]}"')
        environment = {**os.environ, "GRAPHCAP_DEVICE": "host"}
        # Its calls are checked: with one that fails the program fails.
        for text, status in ((program, 0), (program + wrong, 1)):
            done = subprocess.run([*command, text], cwd=ROOT, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertEqual(status, int("gc_graph_launch: 'exec' is NULL" in done.stderr))
            self.assertEqual(done.stdout.split(), ["replayed", str(7 * 16)])

    def test_callbacks_in_ctypes(self):
        """The host kernel and the host function behind the program."""
        program = replay("first_replay_ctypes.py").replace('"libgraphcap.so.0"', repr(os.environ["GRAPHCAP_LIBRARY"]))
        program += replay("callbacks_ctypes.py").split("\n", 1)[1]
        environment = {**os.environ, "GRAPHCAP_DEVICE": "host"}
        done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), ["replayed", str(7 * 16), "added", str(8 * 16)])

    def test_ctypes(self):
        self.run_replay(replay("first_replay_ctypes.py"), [sys.executable, "-c"], "gc.gc_graph_launch(None, stream)")

    @unittest.skipUnless(importlib.util.find_spec("cffi"), "cffi is not installed")
    def test_cffi(self):
        self.run_replay(replay("first_replay_cffi.py"), [sys.executable, "-c"], "ok(gc.gc_graph_launch(ffi.NULL, stream))")

    @unittest.skipUnless(importlib.util.find_spec("cffi"), "cffi is not installed")
    def test_work_in_cffi(self):
        """The node that the page adds as work."""
        program = replay("first_replay_cffi.py").splitlines()
        work = next(text for _, text in blocks("Bindings made by tools") if "gc_work" in text)
        first = next(at for at, line in enumerate(program) if "begin_capture" in line)
        last = next(at for at, line in enumerate(program) if "end_capture" in line)
        before = ['graph = made("gc_graph", gc.gc_graph_create, context)', 'node = ffi.new("gc_node *")']
        program = "\n".join([*program[:first], *before, work, *program[last + 1 :], ""])
        self.run_program(program, [sys.executable, "-c"], "ok(gc.gc_graph_launch(ffi.NULL, stream))")

    @unittest.skipUnless(has("luajit"), "LuaJIT is not installed")
    def test_luajit(self):
        self.run_replay(replay("first_replay.lua"), ["luajit", "-e"], "ok(gc.gc_graph_launch(nil, stream))")


class Generated(unittest.TestCase):
    """Programs with bindings that a tool makes, in a folder that is as the page says."""

    def run_recipe(self, title, file, null, interface=None):
        """Runs the commands of a section, with its program in `file`, and SWIG's file where there is one; then the last command with a
        program whose launch must fail."""
        program = (PROGRAMS / file).read_text()
        commands = next(text for language, text in blocks(title) if language == "sh").splitlines()
        wrong = program.replace("gc_graph_launch(replayed, ", f"gc_graph_launch({null}, ")
        self.assertNotEqual(program, wrong)
        with tempfile.TemporaryDirectory(prefix="graphcap-recipe-") as folder:
            folder = Path(folder)
            (folder / "include").symlink_to(ROOT / "include")
            (folder / "lib").mkdir()
            for link in ("libgraphcap.so", "libgraphcap.so.0"):
                (folder / "lib" / link).symlink_to(os.environ["GRAPHCAP_LIBRARY"])
            if interface:
                shutil.copy(PROGRAMS / interface, folder)
            (folder / file).write_text(program)
            done = self.run_commands(commands, folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(done.stdout.splitlines()[-1].split(), ["replayed", str(7 * 16)])
            (folder / file).write_text(wrong)
            done = self.run_commands(commands[-1:], folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("gc_graph_launch: 'exec' is NULL", done.stderr)

    def run_commands(self, commands, folder):
        environment = {**os.environ, "GRAPHCAP_DEVICE": "host", "LD_LIBRARY_PATH": "lib"}
        script = "\n".join(["set -e", *commands])
        return subprocess.run(["sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True)

    @unittest.skipUnless(has("ctypesgen", "python3"), "ctypesgen is not installed")
    def test_ctypesgen(self):
        self.run_recipe("ctypesgen", "first_replay_ctypesgen.py", "None")

    @unittest.skipUnless(has("swig", "cc", "python3-config"), "SWIG, a C compiler or python3-config is not installed")
    def test_swig(self):
        self.run_recipe("SWIG", "first_replay_swig.py", "None", "graphcap.i")

    @unittest.skipUnless(has("go", "cc"), "Go or a C compiler is not installed")
    def test_go(self):
        self.run_recipe("Go", "first_replay.go", "nil")

    @unittest.skipUnless(has("zig"), "Zig is not installed")
    def test_zig(self):
        self.run_recipe("Zig", "first_replay.zig", "null")

    @unittest.skipUnless(has_koffi(), "Node.js or koffi is not installed")
    def test_koffi(self):
        self.run_recipe("Node.js", "first_replay.js", "null")

    @unittest.skipUnless(has("bindgen", "rustc"), "bindgen is not installed")
    def test_bindgen(self):
        self.run_recipe("Rust, by bindgen", "first_replay.rs", "null_mut()")


if __name__ == "__main__":
    unittest.main()
