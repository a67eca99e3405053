#!/usr/bin/env python3
"""Checks the first words of doc comments and headings: an entry is read alone, in a list of names, so it begins with a verb or a noun.

Reads the Rust sources, the headers of the C++ layer, the Python files and the pages. Prints each entry that begins otherwise, and fails if there is
one.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENINGS = "What|Whether|How|Why|That|Has|Who|Where|When|The same"
ENTRY = {
    ".rs": re.compile(rf"[ \t]*//[/!] (?:{OPENINGS})\b"),
    ".hpp": re.compile(rf"[ \t]*/\*\* (?:{OPENINGS})\b"),
    ".md": re.compile(rf"#+ (?:{OPENINGS})\b"),
    ".py": re.compile(rf'[ \t]*"""(?:{OPENINGS})\b'),
}
# A line of a doc comment of Rust. Only the first one of a comment is an entry.
RUST = re.compile(r"[ \t]*//[/!]")


def wrong_entries(path):
    """The numbers and texts of lines that begin wrongly."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines):
        goes_on = path.suffix == ".rs" and number and RUST.match(lines[number - 1])
        if not goes_on and ENTRY[path.suffix].match(line):
            yield number + 1, line.strip()


def main():
    """Prints the entries, and fails if there is one."""
    names = subprocess.run(
        ["git", "ls-files", "*.rs", "include/*.hpp", "*.py", "*.md"], cwd=ROOT, text=True, capture_output=True, check=True
    ).stdout
    wrong = [(name, *entry) for name in names.split() for entry in wrong_entries(ROOT / name)]
    for name, number, line in wrong:
        print(f"{name}:{number}: {line}")
    if wrong:
        words = OPENINGS.replace("|", ", ")
        sys.exit(f"{len(wrong)} doc comments and headings begin with one of: {words}. Begin them with a verb or a noun.")


if __name__ == "__main__":
    main()
