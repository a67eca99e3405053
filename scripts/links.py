#!/usr/bin/env python3
"""Checks the links of the Markdown pages, and the names of source files in them. Prints what is wrong, and fails if anything is.

usage: scripts/links.py           the pages of the sources
       scripts/links.py FOLDER    the Markdown and manual pages of an installation below FOLDER, and its symbolic links

A link leads to a file of the tree, and its anchor to a heading there, by the names that GitHub gives to headings. A name of a source
file in backquotes, such as `captures/record.rs`, is the end of a path in the tree; `/src` may be left out, as in `core/keep.rs`.
"""

import functools
import gzip
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([\w./-]+\.(?:rs|c|h|hpp|cu|cuh|py|sh))`")
# Names of files that a build or the bundle makes.
MADE = {"./run-tests.sh", "./run-bench.sh"}
# A manual page that another one names: by mdoc's macro, or as the command's pages do.
MANUAL = re.compile(r"^\.(?:It )?Xr (\S+) (\d)|^(\S+)\((\d)\)$", re.MULTILINE)


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


def faults(root, page):
    """The faults of a page's links, as lines. They lead to files below the folder `root`."""
    for number, line in enumerate(without_code(page.read_text(encoding="utf-8")), 1):
        where = f"{page.relative_to(root)}:{number}"
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            to = (page.parent / path).resolve() if path else page
            if not to.exists() or not to.is_relative_to(root):
                yield f"{where}: no file {path}"
            elif anchor and to.suffix == ".md" and anchor not in anchors(to):
                yield f"{where}: {to.name} has no heading #{anchor}"


def wrong_names(page, files):
    """The names of source files in a page that no file has, as lines."""
    for number, line in enumerate(without_code(page.read_text(encoding="utf-8")), 1):
        for name in SOURCE.findall(line):
            if not (name in MADE or "NAME" in name or any(f"/{file}".endswith(f"/{name}") for file in files)):
                yield f"{page.relative_to(ROOT)}:{number}: no file ends with {name}"


def sources():
    """The faults of the pages of the sources."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    files = [file for file in listed.stdout.split("\n") if (ROOT / file).is_file()]
    pages = [ROOT / file for file in files if file.endswith(".md")]
    files += [file.replace("/src/", "/") for file in files]
    for page in pages:
        yield from faults(ROOT, page)
        if page.name != "CHANGELOG.md":
            yield from wrong_names(page, files)


def installed(root):
    """The faults of what is installed below the folder `root`."""
    pages = list(root.rglob("*.md"))
    manual = {path.name.removesuffix(".gz"): path for path in root.glob("**/man/man*/*")}
    if not pages or not manual:
        yield f"{root} has no Markdown pages, or no manual pages"
    for page in pages:
        yield from faults(root, page)
    for name, path in manual.items():
        if path.is_symlink():
            continue
        text = (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8").read()
        for match in MANUAL.findall(text.replace("\\-", "-")):
            if ".".join(filter(None, match)) not in manual:
                yield f"{name}: no manual page {' '.join(filter(None, match))}"
    yield from (f"{path.relative_to(root)} leads nowhere" for path in root.rglob("*") if path.is_symlink() and not path.exists())


def main():
    wrong = list(installed(pathlib.Path(sys.argv[1]).resolve()) if sys.argv[1:] else sources())
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
