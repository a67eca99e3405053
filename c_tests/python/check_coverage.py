#!/usr/bin/env python3
"""Compares the tables of the C tests with graphcap-api.json. In those of boundary.c every handle parameter, every output and
every count of elements must occur; in that of callback_calls.c every function, and the questions that it finds answered must
be those that graphcap.h lists. Usage: check_coverage.py graphcap-api.json boundary.c callback_calls.c"""

import json
import re
import sys

HANDLES = "context|stream|event|host_buffer|buffer|pool|module|kernel|graph_exec|graph_cache|graph|plan|script|record_context|actor|future|capture|scalar|rng"
STRUCTS_OF_HANDLES = "graph_binding|kernel_arg|capture_options|work|rng_uniform_params|memcpy_params|memset_params|mem_op"


def is_optional(parameter):
    """Tells whether an output may be NULL whatever the other arguments are."""
    return re.search(r"; may be NULL(?! when)", parameter["text"]) is not None


def wanted(functions):
    """The (function, parameter) pairs that must be in the tables of handles, of outputs and of counts."""
    handles, outputs, counts = set(), set(), set()
    for function in functions:
        has_text = any(parameter["name"] == "text" and parameter["type"] == "char *" for parameter in function["parameters"])
        for parameter in function["parameters"]:
            name, kind = parameter["name"], parameter["type"]
            pair = (function["name"], name)
            if re.fullmatch(rf"(?:const )?gc_(?:{HANDLES}) \*(?:const )?", kind):
                handles.add(pair)
            # The handles in these structs count.
            elif re.search(rf"\bconst gc_(?:{STRUCTS_OF_HANDLES})\b", kind):
                handles.add(pair)
            elif "*" in kind and (name.endswith("_out") or name == "text"):
                if "out" not in parameter["direction"] or not is_optional(parameter):
                    outputs.add(pair)
            elif kind == "size_t" and re.fullmatch(r"(?:\w+_)?count|capacity", name) and not has_text:
                counts.add(pair)
    return handles, outputs, counts


def complaints_of_callbacks(functions, source):
    """The faults of the table of callback_calls.c."""
    start = source.index("#define CALLS(CASE)")
    end = re.compile(r"[^\\]\n").search(source, start).end()
    answers = dict(re.findall(r"\bCASE\((\w+), (\w+),", source[start:end]))
    names = {function["name"] for function in functions}
    questions = {function["name"] for function in functions if function["returns"]["type"] == "gc_status"}
    told = {function["name"] for function in functions if function["in_callbacks"]} & questions
    told = {name for name in told if not name.endswith("_destroy")}
    answered = {function for function, answer in answers.items() if answer == "ANSWERED"} & questions
    return (
        [f"CALLS lacks {function}" for function in sorted(names - answers.keys())]
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
        functions = json.load(file)["functions"]
    with open(sys.argv[2], encoding="utf-8") as file:
        source = file.read()
    with open(sys.argv[3], encoding="utf-8") as file:
        callbacks = file.read()
    handles, outputs, counts = wanted(functions)
    if len(handles) < 50 or len(outputs) < 20 or len(counts) < 10:
        sys.exit(f"only {len(handles)} handles, {len(outputs)} outputs, {len(counts)} counts found: is this graphcap-api.json?")
    missing = [f"HANDLE_CASES lacks {f}({p})" for f, p in sorted(handles - listed(source, "HANDLE_CASES"))]
    missing += [f"OUTPUT_CASES lacks {f}({p})" for f, p in sorted(outputs - listed(source, "OUTPUT_CASES"))]
    missing += [f"COUNT_CASES lacks {f}({p})" for f, p in sorted(counts - listed(source, "COUNT_CASES"))]
    missing += complaints_of_callbacks(functions, callbacks)
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(handles)} handle parameters, {len(outputs)} outputs and {len(counts)} counts are covered")


if __name__ == "__main__":
    main()
