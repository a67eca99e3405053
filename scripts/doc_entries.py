#!/usr/bin/env python3
"""Checks the first words of doc comments and headings: an entry is read alone, in a list of names, so it begins with a verb or a noun.

Reads the Rust sources, the headers of the C++ layer, the Python files and the pages. Prints each entry that begins otherwise, and fails if there is
one. It fails also where a description in the Python package ends an indented part without a blank line, which Sphinx refuses.
"""

import ast
import inspect
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


def unfit_parts(path):
    """The names of what has a description with an indented part that no blank line ends."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            depths = [len(line) - len(line.lstrip()) if line else None for line in inspect.cleandoc(ast.get_docstring(node)).split("\n")]
            if any(None not in pair and pair[0] > pair[1] for pair in zip(depths, depths[1:])):
                yield f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'the module')}"


def main():
    """Prints the entries, and fails if there is one."""
    unfit = [part for path in sorted((ROOT / "python" / "graphcap").glob("*.py")) for part in unfit_parts(path)]
    if unfit:
        sys.exit("\n".join([*unfit, "An indented part of a description needs a blank line behind it."]))
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
