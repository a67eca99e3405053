#!/usr/bin/env python3
"""Runs the commands that a page shows with their output, and compares.

usage: console.py PAGE PROGRAM

A block of the page that is marked "console" begins with "$ ", assignments to environment variables where the command has some, and
"./NAME ARGUMENTS", where NAME is the name of PROGRAM. The lines behind it are the output, standard error included. Three dots in a line
stand for any text, and a line of three dots for any lines.
"""

import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys


def pattern_of(lines):
    """The regular expression that the lines of a page stand for."""
    text = "".join("...\n" if line == "..." else line + "\n" for line in lines)
    text = re.escape(text).replace(re.escape("...\n"), "\0") if lines[-1] == "..." else re.escape(text)
    return text.replace("\0", ".*").replace(re.escape("..."), "[^\n]*")


def output_of(command, program):
    """The output of a command of a page. A command may end by a signal, as it shows faults."""
    words = shlex.split(command)
    settings = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    name, *arguments = words[len(settings) :]
    if name != f"./{program.name}":
        sys.exit(f"{command}: the page should run ./{program.name}")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHCAP_")}
    return subprocess.run(
        [program, *arguments],
        env={**clean, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
        check=False,
    ).stdout


def main(page, program):
    """Runs all commands of the page; fails if an output differs, or if there is no command."""
    blocks = re.findall(r"^```console\n\$ ([^\n]*)\n(.*?)^```$", pathlib.Path(page).read_text(encoding="utf-8"), re.M | re.S)
    if not blocks:
        sys.exit(f"{page} shows no command")
    wrong = 0
    for command, expected in blocks:
        found = output_of(command, pathlib.Path(program).resolve())
        if not re.fullmatch(pattern_of(expected.rstrip("\n").split("\n")), found, re.S):
            wrong += 1
            print(f"$ {command}\n--- the page\n{expected}--- the output\n{found}")
    print(f"{len(blocks)} commands, {wrong} answer otherwise than {page} shows")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
