#!/usr/bin/env python3
"""Compares the tables of the C tests with graphcap.h. In those of boundary.c every handle parameter, every output and every
count of elements must occur; in that of callback_calls.c every function, and the questions that it finds answered must be
those that the header lists. Usage: check_coverage.py graphcap.h boundary.c callback_calls.c"""

import re
import sys

HANDLES = "context|stream|event|host_buffer|buffer|pool|module|kernel|graph_exec|graph_cache|graph|plan|script|record_context|actor|future|capture|scalar|rng"
STRUCTS_OF_HANDLES = "graph_binding|kernel_arg|capture_options|op_desc|rng_uniform_params|memcpy_params|memset_params|mem_op"


def declarations(header):
    """Yields (function, parameter list) for every function that graphcap.h declares and the library exports."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", " ", text, flags=re.M)
    text = re.sub(r"^(?:GRAPHCAP_NODISCARD )?static inline .*?\}$", " ", text, flags=re.S | re.M)
    for match in re.finditer(r"\b(gc_\w+)\s*\(([^()]*)\)\s*[;{]", text):
        if not match.group(1).endswith("_fn"):
            yield match.group(1), [part.strip() for part in match.group(2).split(",")]


def optional_outputs(header):
    """The (function, parameter) pairs of outputs that may be NULL whatever the other arguments are."""
    found = set()
    for comment, function in re.findall(r"/\*\*((?:[^*]|\*(?!/))*)\*/[\s\w*]*?\b(gc_\w+)\s*\(", header):
        text = re.sub(r"\s*\n \*\s*", " ", comment)
        for parameter in re.findall(r"@param\[(?:in,)?out\]\s+(\w+)[^@]*?; may be NULL(?! when)", text):
            found.add((function, parameter))
    return found


def wanted(header):
    """The (function, parameter) pairs that must be in the tables of handles, of outputs and of counts."""
    handles, outputs, counts = set(), set(), set()
    optional = optional_outputs(header)
    for function, parameters in declarations(header):
        for parameter in parameters:
            name = re.search(r"(\w+)$", parameter)
            if re.fullmatch(rf"(?:const\s+)?(?:struct\s+)?gc_(?:{HANDLES})\s*(?:const\s*)?\*\s*\w+", parameter):
                handles.add((function, name.group(1)))
            # The handles in these structs count.
            elif re.search(rf"\bconst (?:struct )?gc_(?:{STRUCTS_OF_HANDLES})\b", parameter):
                handles.add((function, name.group(1)))
            elif "*" in parameter and (name.group(1).endswith("_out") or name.group(1) == "text"):
                if (function, name.group(1)) not in optional:
                    outputs.add((function, name.group(1)))
            elif re.fullmatch(r"size_t (\w+_)?count|size_t capacity", parameter) and "char *text" not in parameters:
                counts.add((function, name.group(1)))
    return handles, outputs, counts


def complaints_of_callbacks(header, source):
    """What is wrong with the table of callback_calls.c."""
    start = source.index("#define CALLS(CASE)")
    end = re.compile(r"[^\\]\n").search(source, start).end()
    answers = dict(re.findall(r"\bCASE\((\w+), (\w+),", source[start:end]))
    functions = {function for function, _ in declarations(header)}
    questions = set(re.findall(r"\bgc_status (gc_\w+)\(", header))
    text = re.sub(r"\s*\n \*\s*", " ", header)
    told = set(re.findall(r"\bgc_\w+", re.search(r"and these functions: ([^.]*)\.", text).group(1)))
    answered = {function for function, answer in answers.items() if answer == "ANSWERED"} & questions
    return (
        [f"CALLS lacks {function}" for function in sorted(functions - answers.keys())]
        + [f"the header does not list {function}, which callbacks may ask" for function in sorted(answered - told)]
        + [f"the header lists {function}, which callbacks may not ask" for function in sorted(told - answered)]
    )


def listed(source, table):
    """The (function, parameter) pairs of one table of boundary.c."""
    start = source.index(f"#define {table}(CASE)")
    end = re.compile(r"[^\\]\n").search(source, start).end()
    return set(re.findall(r"\bCASE\((\w+), (\w+),", source[start:end]))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        header = file.read()
    with open(sys.argv[2], encoding="utf-8") as file:
        source = file.read()
    with open(sys.argv[3], encoding="utf-8") as file:
        callbacks = file.read()
    handles, outputs, counts = wanted(header)
    if len(handles) < 50 or len(outputs) < 20 or len(counts) < 10:
        sys.exit(f"only {len(handles)} handles, {len(outputs)} outputs, {len(counts)} counts found: is this graphcap.h?")
    missing = [f"HANDLE_CASES lacks {f}({p})" for f, p in sorted(handles - listed(source, "HANDLE_CASES"))]
    missing += [f"OUTPUT_CASES lacks {f}({p})" for f, p in sorted(outputs - listed(source, "OUTPUT_CASES"))]
    missing += [f"COUNT_CASES lacks {f}({p})" for f, p in sorted(counts - listed(source, "COUNT_CASES"))]
    missing += complaints_of_callbacks(header, callbacks)
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(handles)} handle parameters, {len(outputs)} outputs and {len(counts)} counts are covered")


if __name__ == "__main__":
    main()
