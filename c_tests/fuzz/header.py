#!/usr/bin/env python3
"""What the fuzzer reads out of graphcap.h.

    header.py documented graphcap.h OUTPUT       writes the statuses that each function documents, as documented.inc
    header.py coverage graphcap.h functions.h    fails when a function of the header has no row
"""

import re
import sys


def functions(header):
    """Yields (function, its comment, its type, its parameters) for every function that the header declares and the library
    exports."""
    code = re.sub(r"^[ \t]*#.*(?:\\\n.*)*$", " ", header, flags=re.M)
    code = re.sub(r"^(?:GRAPHCAP_NODISCARD )?static inline .*?^\}", " ", code, flags=re.S | re.M)
    declaration = r"/\*\*((?:[^*]|\*(?!/))*)\*/\s*(?!typedef)([\w \n*]*?)\b(gc_\w+)\s*\(([^()]*)\)\s*[;{]"
    for match in re.finditer(declaration, code):
        yield match.group(3), match.group(1), match.group(2).split()[-1], match.group(4)


def statuses(header):
    """The numbers of the statuses by their names."""
    return {name: int(number) for name, number in re.findall(r"#define (GRAPHCAP_(?:SUCCESS|ERROR_\w+)) (-?\d+)", header)}


def for_callbacks(header):
    """The functions that the header lists as allowed in callbacks, which are never refused there."""
    text = re.sub(r"\s*\n \*\s*", " ", header)
    return set(re.findall(r"\bgc_\w+", re.search(r"and these functions: ([^.]*)\.", text).group(1)))


def general(function, parameters, allowed, sized):
    """The statuses that the header's part on statuses gives a function, which it does not list itself. Those of memory, forks,
    resets, panics and faults are told apart by the fuzzer."""
    yield "GRAPHCAP_SUCCESS"
    if re.search(r"\bgc_\w+ \*", parameters) or "void *object" in parameters:
        yield "GRAPHCAP_ERROR_INVALID_HANDLE"
    if "size_t capacity" in parameters:
        yield from ("GRAPHCAP_ERROR_BUFFER_TOO_SMALL", "GRAPHCAP_ERROR_INVALID_VALUE")
    if re.search(r"\bgc_(?:stream|capture|record_context|script) \*", parameters):
        yield from ("GRAPHCAP_ERROR_CAPTURE_INVALIDATED", "GRAPHCAP_ERROR_CAPTURE_IMPLICIT")
    if "gc_graph *graph" in parameters:  # it may be lost
        yield "GRAPHCAP_ERROR_INVALID_VALUE"
    if sized & set(re.findall(r"\b(gc_\w+) \*", parameters)):
        yield "GRAPHCAP_ERROR_INVALID_VALUE"
    if function not in allowed:
        yield "GRAPHCAP_ERROR_NOT_PERMITTED"


def documented(header):
    numbers = statuses(header)
    allowed = for_callbacks(header)
    sized = {name for name, members in re.findall(r"struct (gc_\w+) \{(.*?)^\}", header, flags=re.S | re.M) if "struct_size;" in members}
    lines = []
    for function, comment, returns, parameters in functions(header):
        if returns != "gc_status":
            continue
        names = set(re.findall(r"@retval (GRAPHCAP_\w+)", comment)) | set(general(function, parameters, allowed, sized))
        found = sorted(numbers[name] for name in names)
        lines.append(f'    {{"{function}", {len(found)}, {{{", ".join(map(str, found))}}}}},')
    if len(lines) < 100:
        sys.exit(f"only {len(lines)} functions with statuses found: is this graphcap.h?")
    return "static const struct documented documented[] = {\n" + "\n".join(lines) + "\n};\n"


def coverage(header, rows):
    declared = {function for function, *_ in functions(header)}
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
