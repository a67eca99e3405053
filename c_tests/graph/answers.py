#!/usr/bin/env python3
"""Holds the tables of docs/driver-answers.md against the rows that the programs of this folder try, or writes them anew.

The programs tell their rows in the file that GRAPHCAP_ROWS names, see rows.h. A program fails where its device answers otherwise
than its row says, so what the tables tell of both devices is what the programs demand of them.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BEGIN = "<!-- made by c_tests/graph/answers.py; make answers writes it anew -->"
END = "<!-- the end of what answers.py makes -->"
HERE = pathlib.Path(__file__).resolve().parent


def rows_of(programs):
    """The rows of the programs, each a list of its fields: name, driver, CUDA device, host device, reason, program."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows")
        environment = dict(os.environ, GRAPHCAP_DEVICE="host", GRAPHCAP_ROWS=path)
        for program in programs:
            done = subprocess.run([program], env=environment, stderr=subprocess.PIPE, text=True)
            if done.returncode != 0:
                sys.exit(f"{done.stderr}{program} failed")
        with open(path, encoding="utf-8") as file:
            return [line.rstrip("\n").split("\t") for line in file]


def check_elsewhere(rows):
    """Looks for rows in the sources of other programs that are said to try them: a comment there names the row."""
    for name, *_, where in rows:
        if not where:
            continue
        source = next(HERE.parent.glob(f"*/{where}"))
        named = re.findall(r"`([\w.*]+)`", source.read_text(encoding="utf-8"))
        if not any(fnmatch.fnmatch(name, pattern) for pattern in named):
            sys.exit(f"{where} names no row {name}")


def told(row):
    """Text beside the answers of the driver."""
    _, driver, cuda, host, because, where = row
    text = ""
    if cuda != driver:
        text = f"`{cuda}`"
    if host != cuda:
        text += f"{'; ' if text else ''}host device `{host}`"
    if because:
        text += f": {because}"
    if where:
        text += f"{'; ' if text else ''}in `{where}`"
    return text


def tables(rows):
    """The lines between the marks."""
    tried = [row for row in rows if row[1]]
    names = [row[0] for row in tried]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"rows that are told twice: {', '.join(sorted(twice))}")
    lines = []
    for group in sorted({name.split(".")[0] for name in names}):
        lines += [f"**{group}**", "", "| rows | the driver | graphcap, where it differs |", "|---|---|---|"]
        alike = {}
        for row in tried:
            if row[0].split(".")[0] == group:
                alike.setdefault((row[1], told(row)), []).append(f"`{row[0].split('.', 1)[1]}`")
        for (driver, more), members in alike.items():
            lines.append(f"| {', '.join(members)} | `{driver}` | {more} |")
        lines.append("")
    lines += ["**Without a test**", "", "| rows | why |", "|---|---|"]
    for name, driver, *_, because, _ in rows:
        if not driver:
            lines.append(f"| {', '.join(f'`{one}`' for one in name.split(', '))} | {because} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("how", choices=["check", "write"])
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    rows = rows_of(arguments.programs)
    check_elsewhere(rows)
    text = arguments.document.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        sys.exit(f"{arguments.document} lacks the marks between which the tables stand")
    made = before + "\n".join([BEGIN, "", *tables(rows), "", END]) + after
    if arguments.how == "write":
        arguments.document.write_text(made, encoding="utf-8")
    elif made != text:
        sys.exit(f"{arguments.document} does not tell what the programs try; run: make answers")
    print(f"{sum(1 for row in rows if row[1])} rows")


if __name__ == "__main__":
    main()
