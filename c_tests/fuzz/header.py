#!/usr/bin/env python3
"""What the fuzzer reads out of graphcap.h.

    header.py documented graphcap.h OUTPUT       writes the statuses that each function documents, as documented.inc
    header.py coverage graphcap.h functions.h    fails when a function of the header has no row
"""

import re
import sys


def functions(header):
    """Yields (function, its comment) for every function that the header declares and the library exports."""
    code = re.sub(r"^[ \t]*#.*(?:\\\n.*)*$", " ", header, flags=re.M)
    code = re.sub(r"^(?:GRAPHCAP_NODISCARD )?static inline .*?^\}", " ", code, flags=re.S | re.M)
    for match in re.finditer(r"/\*\*((?:[^*]|\*(?!/))*)\*/\s*(?!typedef)[\w \n*]*?\b(gc_\w+)\s*\([^()]*\)\s*[;{]", code):
        yield match.group(2), match.group(1)


def statuses(header):
    """The numbers of the statuses by their names."""
    return {name: int(number) for name, number in re.findall(r"#define (GRAPHCAP_(?:SUCCESS|ERROR_\w+)) (-?\d+)", header)}


def documented(header):
    numbers = statuses(header)
    lines = []
    for function, comment in functions(header):
        found = sorted({numbers[name] for name in re.findall(r"@retval (GRAPHCAP_\w+)", comment)})
        if found:
            lines.append(f'    {{"{function}", {len(found)}, {{{", ".join(map(str, found))}}}}},')
    if len(lines) < 100:
        sys.exit(f"only {len(lines)} functions with statuses found: is this graphcap.h?")
    return "static const struct documented documented[] = {\n" + "\n".join(lines) + "\n};\n"


def coverage(header, rows):
    declared = {function for function, _ in functions(header)}
    if len(declared) < 100:
        sys.exit(f"only {len(declared)} functions found: is this graphcap.h?")
    listed = re.findall(r"^(?:STATUS|TELLS|NAMES|GIVES|DOES)\((gc_\w+),", rows, flags=re.M)
    problems = [f"functions.h has no row for {name}" for name in sorted(declared - set(listed))]
    problems += [f"functions.h has a row for {name}, which the header lacks" for name in sorted(set(listed) - declared)]
    problems += [f"functions.h has more than one row for {name}" for name in sorted({n for n in listed if listed.count(n) > 1})]
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(declared)} functions have a row")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("documented", "coverage"):
        sys.exit(__doc__)
    if sys.argv[1] == "coverage":
        coverage(read(sys.argv[2]), read(sys.argv[3]))
        return
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(documented(read(sys.argv[2])))


if __name__ == "__main__":
    main()
