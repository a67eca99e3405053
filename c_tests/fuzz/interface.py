#!/usr/bin/env python3
"""Data that the fuzzer reads out of graphcap-api.json.

    interface.py documented graphcap-api.json OUTPUT       writes the statuses that each function and each kind of work documents, as documented.inc
    interface.py coverage graphcap-api.json functions.h    fails when a function of the interface has no row
"""

import json
import re
import sys


def general(function, sized):
    """The statuses that the header's part on statuses gives a function, which it does not list itself. Those of memory, forks,
    resets, panics and faults are told apart by the fuzzer."""
    yield "GRAPHCAP_SUCCESS"
    pointers = {parameter["type"].removeprefix("const ").rstrip(" *") for parameter in function["parameters"] if parameter["abi"] == "pointer"}
    names = {parameter["name"] for parameter in function["parameters"]}
    if any(name.startswith("gc_") for name in pointers) or "object" in names:
        yield "GRAPHCAP_ERROR_INVALID_HANDLE"
    if sum(parameter["type"].startswith("const gc_") for parameter in function["parameters"]) > 1:
        yield "GRAPHCAP_ERROR_INVALID_CONTEXT"
    if "capacity" in names:
        yield from ("GRAPHCAP_ERROR_BUFFER_TOO_SMALL", "GRAPHCAP_ERROR_INVALID_VALUE")
    if sized & pointers:
        yield "GRAPHCAP_ERROR_INVALID_VALUE"
    if {"gc_stream", "gc_capture", "gc_record_context", "gc_script"} & pointers:
        yield from ("GRAPHCAP_ERROR_CAPTURE_INVALIDATED", "GRAPHCAP_ERROR_CAPTURE_IMPLICIT")
    if "gc_graph" in pointers or "object" in names:  # a graph may be lost
        yield "GRAPHCAP_ERROR_INVALID_VALUE"
    if not function["in_callbacks"]:
        yield "GRAPHCAP_ERROR_NOT_PERMITTED"


def of_works(api):
    """The statuses that the text of each kind of work names. That of GRAPHCAP_WORK_SGEMM holds for the kinds below it, too."""
    works = {constant["name"]: constant for constant in api["constants"] if constant["name"].startswith("GRAPHCAP_WORK_")}
    named = {name: set(re.findall(r"GRAPHCAP_ERROR_\w+", str(work["text"]))) for name, work in works.items()}
    for name, work in works.items():
        if work["value"] > works["GRAPHCAP_WORK_SGEMM"]["value"]:
            named[name] |= named["GRAPHCAP_WORK_SGEMM"]
    return named


def documented(api):
    numbers = {status["name"]: status["value"] for status in api["statuses"]}
    sized = {record["name"] for record in api["structs"] if record["members"][0]["name"] == "struct_size"}
    works, known = of_works(api), {}
    for function in api["functions"]:
        if function["returns"]["type"] != "gc_status":
            continue
        known[function["name"]] = {status["name"] for status in function["statuses"]} | set(general(function, sized))
    for shorthand in api["shorthands"]:
        if shorthand["returns"] == "gc_status":
            body = " ".join(shorthand["body"])
            known[shorthand["name"]] = {status for function in re.findall(r"\b(gc_\w+)\(", body) for status in known[function]}
            known[shorthand["name"]] |= {status for work in re.findall(r"\bGRAPHCAP_WORK_\w+", body) for status in works.get(work, ())}

    def row(first, names):
        found = sorted(numbers[name] for name in names)
        return f"    {{{first}, {len(found)}, {{{', '.join(map(str, found)) or '0'}}}}},\n"

    functions = "".join(row(f'"{name}"', names) for name, names in known.items())
    kinds = "".join(row(name, names) for name, names in works.items())
    return (
        f"static const struct documented documented[] = {{\n{functions}}};\n"
        f"static const struct documented_work documented_works[] = {{\n{kinds}}};\n"
    )


def coverage(api, rows):
    declared = {function["name"] for function in api["functions"]}
    listed = re.findall(r"^(?:STATUS|TELLS|NAMES|GIVES|DOES)\((gc_\w+),", rows, flags=re.M)
    problems = [f"functions.h has no row for {name}" for name in sorted(declared - set(listed))]
    strange = set(listed) - declared - {shorthand["name"] for shorthand in api["shorthands"]}
    problems += [f"functions.h has a row for {name}, which the interface lacks" for name in sorted(strange)]
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
    api = json.loads(read(sys.argv[2]))
    if len(api["functions"]) < 100:
        sys.exit(f"only {len(api['functions'])} functions found: is this graphcap-api.json?")
    if sys.argv[1] == "coverage":
        coverage(api, read(sys.argv[3]))
        return
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(documented(api))


if __name__ == "__main__":
    main()
