#!/usr/bin/env python3
"""Takes the parts of programs in C that pages show, so that fragments.c runs them.

usage: fragments.py OUT PROGRAM PAGE...

Writes OUT/PAGE_NUMBER.h for each block in C of a page that is no whole program. A line that is a call is checked to succeed, or to give the
status that the comment behind it begins with. Fails where PROGRAM does not include all of them, or includes others.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```c\n(?!#include )(.*?)^```$", re.M | re.S)
CALL = re.compile(r"^(\s*)(?:status = )?(gc_\w+\([^;]*\));(?:\s*/\* (GRAPHCAP_ERROR_\w+) \*/)?", re.M)


def checked(found):
    """A line that is a call, with a check."""
    indent, call, status = found.groups()
    return f"{indent}CHECK_STATUS({call}, {status or 'GRAPHCAP_SUCCESS'});"


def main():
    """Writes the files."""
    out, program, *pages = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    written = set()
    for page in pages:
        for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1):
            name = f"{page.stem.replace('-', '_')}_{number}.h"
            (out / name).write_text(CALL.sub(checked, block), encoding="utf-8")
            written.add(name)
    included = set(re.findall(r'^\s*#include "fragments/(\w+\.h)"$', program.read_text(encoding="utf-8"), re.M))
    if wrong := sorted(written ^ included):
        sys.exit(f"{program.name}: {', '.join(wrong)}: included and not shown by a page, or shown and not included")


if __name__ == "__main__":
    main()
