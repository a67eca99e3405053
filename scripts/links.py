#!/usr/bin/env python3
"""Checks the links of the Markdown pages, and the names of source files in them. Prints what is wrong, and fails if anything is.

A link leads to a file of the tree, and its anchor to a heading there, by the names that GitHub gives to headings. A name of a source
file in backquotes, such as `captures/record.rs`, is the end of a path in the tree; `/src` may be left out, as in `core/keep.rs`.
"""

import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([\w./-]+\.(?:rs|c|h|hpp|cu|cuh|py|sh))`")
# Names of files that a build or the bundle makes.
MADE = {"./run-tests.sh", "./run-bench.sh"}


def without_code(text):
    """The text with the lines of code blocks blank, so that lines keep their numbers."""
    inside = False
    lines = []
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        inside ^= fence
        lines.append("" if inside or fence else line)
    return lines


@functools.cache
def anchors(page):
    """The anchors of the headings of a page."""
    found = set()
    for line in without_code(page.read_text(encoding="utf-8")):
        heading = re.match(r"#+ +(.*)", line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            again = 0
            while (f"{name}-{again}" if again else name) in found:
                again += 1
            found.add(f"{name}-{again}" if again else name)
    return found


def faults(page, files):
    """The faults of a page, as lines."""
    for number, line in enumerate(without_code(page.read_text(encoding="utf-8")), 1):
        where = f"{page.relative_to(ROOT)}:{number}"
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            to = (page.parent / path).resolve() if path else page
            if not to.exists():
                yield f"{where}: no file {path}"
            elif anchor and to.suffix == ".md" and anchor not in anchors(to):
                yield f"{where}: {to.name} has no heading #{anchor}"
        if page.name != "CHANGELOG.md":
            for name in SOURCE.findall(line):
                if not (name in MADE or "NAME" in name or any(f"/{file}".endswith(f"/{name}") for file in files)):
                    yield f"{where}: no file ends with {name}"


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    files = [file for file in listed.stdout.split("\n") if (ROOT / file).is_file()]
    pages = [ROOT / file for file in files if file.endswith(".md")]
    files += [file.replace("/src/", "/") for file in files]
    wrong = [fault for page in pages for fault in faults(page, files)]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
