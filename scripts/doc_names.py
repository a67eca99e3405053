#!/usr/bin/env python3
"""Checks the names of functions and types in the Markdown pages, and the table of CUDA's names in docs/cuda-names.md.

usage: doc_names.py            prints each name that include/graphcap-api.json does not have, and fails if there is one
       doc_names.py --write    makes the table anew before

A name is `gc_...` or `GRAPHCAP_ERROR_...`; one that ends with `_` or `*` stands for all that begin so. The pages about names that are
gone are left out.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from cuda_names import runtime_names  # noqa: E402

API = json.loads((ROOT / "include" / "graphcap-api.json").read_text(encoding="utf-8"))
TABLE = ROOT / "docs" / "cuda-names.md"
BEGIN = "<!-- made by scripts/doc_names.py of graphcap-api.json -->\n"
END = "<!-- end -->\n"
GONE = {"CHANGELOG.md", "docs/migration.md"}
NAME = re.compile(r"(?<![\w.])(?:gc|GRAPHCAP_ERROR)_\w+")
FILLED = re.compile(r"\.\.\.|…")


def table():
    """The rows by section: the driver's name, the runtime's, graphcap's."""
    titles = {section["id"]: section["title"] for section in API["sections"]}
    sections = {}
    calls = {function["name"]: function["section"] for function in API["functions"]}
    for item in [*API["functions"], *API["shorthands"]]:
        section = titles.get(item.get("section") or calls.get(item["calls"]))
        for driver in re.findall(r"\b(?:cu|CU)[A-Z_]\w+", item.get("cuda", "")):
            runtime = ", ".join(f"`{name}`" for name in runtime_names(driver))
            sections.setdefault(section, []).append(f"| `{driver}` | {runtime} | `{item['name']}` |\n")
    lines = []
    for title, rows in sections.items():
        lines += [f"\n## {title}\n\n", "| driver | runtime | graphcap |\n|---|---|---|\n"]
        lines += sorted(set(rows))
    return "".join(lines) + "\n"


def with_table(text):
    """The text of the page with the table as it has to be."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


def unknown(page, known):
    """The names in a page that are none."""
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        for found in NAME.finditer(line):
            name, behind = found.group(), line[found.end() : found.end() + 3]
            stands_for_more = name.endswith("_") or behind.startswith(("*", "<")) or FILLED.match(behind)
            if name not in known and not (stands_for_more and any(one.startswith(name.rstrip("_")) for one in known)):
                yield f"{page.relative_to(ROOT)}:{number}: {name} is not in graphcap-api.json"


def main(arguments):
    """Checks the pages; with --write the table is made first."""
    if arguments == ["--write"]:
        TABLE.write_text(with_table(TABLE.read_text(encoding="utf-8")), encoding="utf-8")
    known = {item["name"] for kind in ("functions", "shorthands", "structs", "types", "constants", "statuses") for item in API[kind]}
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    wrong = [line for page in pages if str(page.relative_to(ROOT)) not in GONE for line in unknown(page, known)]
    text = TABLE.read_text(encoding="utf-8")
    if text != with_table(text):
        wrong.append("docs/cuda-names.md: the table is not that of graphcap-api.json; scripts/doc_names.py --write makes it anew")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
