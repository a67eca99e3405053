#!/usr/bin/env python3
"""Compares the tables of c_tests/boundary.c with graphcap.h: every handle parameter and every output of every
function must occur there. Usage: check_coverage.py graphcap.h boundary.c"""

import re
import sys

HANDLES = "context|stream|event|host_buffer|buffer|module|kernel|graph_exec|graph|capture"
STRUCTS_OF_HANDLES = "kernel_arg|capture_options|memcpy_params|memset_params|mem_op"


def declarations(header):
    """Yields (function, parameter list) for every function that graphcap.h declares."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", " ", text, flags=re.M)
    for match in re.finditer(r"\b(gc_\w+)\s*\(([^()]*)\)\s*;", text):
        if not match.group(1).endswith("_fn"):
            yield match.group(1), [part.strip() for part in match.group(2).split(",")]


def wanted(header):
    """The (function, parameter) pairs that must be in the table of handles, and in that of outputs."""
    handles, outputs = set(), set()
    for function, parameters in declarations(header):
        for parameter in parameters:
            name = re.search(r"(\w+)$", parameter)
            if re.fullmatch(rf"(?:const\s+)?(?:struct\s+)?gc_(?:{HANDLES})\s*(?:const\s*)?\*\s*\w+", parameter):
                handles.add((function, name.group(1)))
            # The handles in these structs count; an _init only writes.
            elif re.search(rf"\bconst (?:struct )?gc_(?:{STRUCTS_OF_HANDLES})\b", parameter):
                handles.add((function, name.group(1)))
            elif "*" in parameter and (name.group(1).endswith("_out") or name.group(1) == "text"):
                outputs.add((function, name.group(1)))
    return handles, outputs


def listed(source, table):
    """The (function, parameter) pairs of one table of boundary.c."""
    start = source.index(f"#define {table}(CASE)")
    end = re.compile(r"[^\\]\n").search(source, start).end()
    return set(re.findall(r"\bCASE\((\w+), (\w+),", source[start:end]))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        handles, outputs = wanted(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        source = file.read()
    if len(handles) < 50 or len(outputs) < 20:
        sys.exit(f"only {len(handles)} handle parameters and {len(outputs)} outputs found: is this graphcap.h?")
    missing = [f"HANDLE_CASES lacks {f}({p})" for f, p in sorted(handles - listed(source, "HANDLE_CASES"))]
    missing += [f"OUTPUT_CASES lacks {f}({p})" for f, p in sorted(outputs - listed(source, "OUTPUT_CASES"))]
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(handles)} handle parameters and {len(outputs)} outputs are covered")


if __name__ == "__main__":
    main()
