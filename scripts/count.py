#!/usr/bin/env python3
"""Counts what the Rust code consists of, and fails where a count is above its limit in scripts/count.limits.

Of each crate: lines of code without blanks, comments and tests; statics; types; names that are defined more than once; the length
of files; structs of many fields. Of the Markdown pages: the words of those for users, which are README.md and docs/ without the pages about the
code and without those that scripts make; the lines of the longest one. A limit is lowered when its count has become smaller, and never raised
without a reason.

usage: scripts/count.py            prints the table and checks the limits
       scripts/count.py --list     prints also the names, files and structs behind the counts"""

import collections
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = ROOT / "scripts" / "count.limits"
# A file longer than that holds two jobs, and so does a struct of more fields.
MOST_LINES = 600
MOST_FIELDS = 14

LITERAL_OR_COMMENT = re.compile(
    r"""//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|\bb?r(\#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])'""",
    re.DOTALL | re.VERBOSE,
)
TEST_ITEM = re.compile(r"#\[cfg\((?:test|any\(test,[^\]]*)\)\]")
TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*mod (\w+);")
STATIC = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?static\s+(?:mut\s+)?[A-Z]\w*\s*:", re.MULTILINE)
TYPE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(struct|enum|union|trait)\s+(\w+)", re.MULTILINE)
STRUCT = re.compile(r"^(?P<attributes>(?:\s*\#\[[^\n]*\]\n)*)\s*(?:pub(?:\([^)]*\))?\s+)?struct\s+(?P<name>\w+)[^;{(]*\{", re.MULTILINE)
DEFINITION = re.compile(
    r"^(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|union|trait|type|static|const)\s+(?:mut\s+)?([A-Z]\w*)", re.MULTILINE
)
# Structs that may have many fields: those of the C interface, options, and forms that serde reads and writes.
PLAIN_DATA = re.compile(r"repr\(C|derive\([^)]*(?:Serialize|Deserialize)")

# Pages about the code, and pages that scripts make.
NOT_FOR_USERS = ("docs/architecture", "docs/dependencies.md", "docs/migration.md", "docs/verified.md", "docs/driver-answers.md", "docs/cuda-names.md")


def is_of_tests(path):
    parts = path.relative_to(ROOT).parts
    if path.name.endswith("tests.rs") or any(part.endswith("tests") for part in parts) or "faulty" in parts:
        return True
    parents = [path.parent / "mod.rs", path.parent / "lib.rs", path.parent.with_suffix(".rs")]
    return any(path.stem in TEST_MODULE.findall(parent.read_text()) for parent in parents if parent.exists())


def without_comments(source):
    """The source with comments and the inside of literals blanked; lines stay where they are."""

    def blank(found):
        text = found.group(0)
        kept = '""' if not text.startswith("/") else ""
        return kept + "\n" * text.count("\n")

    return LITERAL_OR_COMMENT.sub(blank, source)


def without_tests(code):
    """The code without what is compiled for tests alone."""
    kept, at = [], 0
    for found in TEST_ITEM.finditer(code):
        if found.start() < at:
            continue
        kept.append(code[at : found.start()])
        depth, end = 0, len(code)
        for place in range(found.end(), len(code)):
            sign = code[place]
            depth += (sign in "{[(") - (sign in "}])")
            if (depth == 0 and sign in ";}") or (depth == 0 and sign == "," ):
                end = place + 1
                break
            if depth < 0:
                end = place
                break
        at = end
    kept.append(code[at:])
    return "".join(kept)


def field_count(code, start):
    """The number of fields of a struct whose body begins at `start`."""
    depth, fields, place = 0, 0, start
    while place < len(code):
        sign = code[place]
        if sign in "{[(<":
            depth += 1
        elif sign == "}" and depth == 0:
            return fields
        elif sign in "}])" or (sign == ">" and code[place - 1] != "-"):
            depth -= 1
        elif sign == ":" and depth == 0 and code[place - 1] != ":" and code[place + 1] != ":":
            fields += 1
        place += 1
    return fields


def crates():
    """The folders of the crates' sources by name."""
    found = {path.parent.name: path for path in sorted(ROOT.glob("crates/*/src"))}
    found["graphcap"] = ROOT / "src"
    return found


def count(folder):
    """The counts of one crate, with what is behind them."""
    lines, statics, types, defined = 0, 0, 0, collections.Counter()
    lengths, large = {}, []
    for path in sorted(folder.rglob("*.rs")):
        source = path.read_text()
        name = str(path.relative_to(ROOT))
        lengths[name] = source.count("\n")
        if is_of_tests(path):
            continue
        code = without_tests(without_comments(source))
        lines += sum(bool(line.strip()) for line in code.splitlines())
        statics += len(STATIC.findall(code))
        types += len(TYPE.findall(code))
        defined.update(DEFINITION.findall(code))
        for struct in STRUCT.finditer(code):
            fields = field_count(code, struct.end())
            plain = PLAIN_DATA.search(struct["attributes"]) or struct["name"].endswith("Options")
            if fields > MOST_FIELDS and not plain:
                large.append(f"{struct['name']} in {name}: {fields}")
    twice = sorted(name for name, times in defined.items() if times > 1)
    return {"lines": lines, "statics": statics, "types": types, "twice": twice, "lengths": lengths, "large": large}


def pages():
    """The words of the pages for users, and the lines of the longest page."""
    files = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in files}
    words = sum(len(text.split()) for name, text in texts.items() if not name.startswith(NOT_FOR_USERS))
    return {"words of pages for users": words, "lines of the longest page": max(text.count("\n") for text in texts.values())}


def totals(counts):
    lengths = {path: length for one in counts.values() for path, length in one["lengths"].items()}
    return {
        "lines of code": sum(one["lines"] for one in counts.values()),
        "statics": sum(one["statics"] for one in counts.values()),
        "types": sum(one["types"] for one in counts.values()),
        "names defined twice within a crate": sum(len(one["twice"]) for one in counts.values()),
        f"files over {MOST_LINES} lines": sum(length > MOST_LINES for length in lengths.values()),
        "median lines of a file": int(statistics.median(lengths.values())),
        f"structs of more than {MOST_FIELDS} fields": sum(len(one["large"]) for one in counts.values()),
    }


def limits():
    rows = (line.rsplit(maxsplit=1) for line in LIMITS.read_text().splitlines() if line and not line.startswith("#"))
    return {name: int(limit) for name, limit in rows}


def main():
    counts = {name: count(folder) for name, folder in crates().items()}
    print(f"{'crate':<12}{'lines':>8}{'statics':>9}{'types':>7}{'twice':>7}{'files':>7}")
    for name, one in counts.items():
        print(f"{name:<12}{one['lines']:>8}{one['statics']:>9}{one['types']:>7}{len(one['twice']):>7}{len(one['lengths']):>7}")
    if "--list" in sys.argv[1:]:
        for name, one in counts.items():
            long = [f"{path}: {length}" for path, length in one["lengths"].items() if length > MOST_LINES]
            for title, names in (("twice", one["twice"]), ("long files", long), ("large structs", one["large"])):
                if names:
                    print(f"\n{name}, {title}: " + ", ".join(names))
    print()
    failed = False
    bounds = limits() if LIMITS.exists() else {}
    for name, number in {**totals(counts), **pages()}.items():
        bound = bounds.get(name)
        print(f"{name:<40}{number:>8}" + (f"   limit {bound}" if bound is not None else ""))
        failed |= bound is not None and number > bound
    if failed:
        sys.exit("count: a count is above its limit in scripts/count.limits; make the code simpler, or say there why not")


if __name__ == "__main__":
    main()
