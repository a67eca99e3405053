# Holds graphcap-api.json and graphcap_ffi.h against the compiler: a C program made from the JSON checks the size and the
# alignment of each struct, the place of each member, each constant, the type of each function and what each macro sets.
# graphcap_ffi.h must have no directive, and give the same.
# Run by CTest: api_data.py <include dir>, CC names the compiler.

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def struct_checks(record):
    """Checks of one struct or union."""
    name = record["name"]
    yield f"CHECK(sizeof({name}) == {record['size']});"
    yield f"CHECK(offsetof(struct {{ char before; {name} it; }}, it) == {record['alignment']});"
    for member in record["members"]:
        place = f"{name}, {member['name']}"
        yield f"CHECK(offsetof({place}) == {member['offset']});"
        yield f"CHECK(sizeof((({name} *)0)->{member['name']}) == {member['size']});"
        of = f"(({name} *)0)->{member['name']}" + ("[0]" if "length" in member else "")
        yield f"CHECK(_Generic(&{of}, {member['type']} *: 1, default: 0));"


def function_type(function):
    """The type of a pointer to a function."""
    parameters = ", ".join(parameter["type"] for parameter in function["parameters"]) or "void"
    return f"{function['returns']['type']} (*)({parameters})"


def program(api, includes, macros):
    """A C program that returns 0 when all is as the JSON says."""
    lines = [
        *includes,
        "#include <stdio.h>",
        "#include <string.h>",
        "#define CHECK(what) do { if (!(what)) { ++wrong; puts(#what); } } while (0)",
        "int main(void) {",
        "int wrong = 0;",
    ]
    for constant in api["constants"] + api["statuses"]:
        lines.append(f"CHECK({constant['name']} == {constant['value']});")
    for record in api["structs"]:
        lines += struct_checks(record)
    for function in api["functions"]:
        lines.append(f"CHECK(_Generic(&{function['name']}, {function_type(function)}: 1, default: 0));")
    plain = [(record["name"], macro) for record in api["structs"] for macro in record["macros"] if not macro["parameters"]]
    for struct, macro in plain if macros else []:
        lines += [
            "{",
            f"static const {struct} written = {macro['name']}, told = {{{', '.join(macro['values'])}}};",
            "CHECK(memcmp(&written, &told, sizeof told) == 0);",
            "}",
        ]
    return "\n".join([*lines, "return wrong != 0;", "}", ""])


def run(source, include, folder):
    """Objections of the compiler or the program to a source; empty when all is well."""
    path, binary = Path(folder, "program.c"), Path(folder, "program")
    path.write_text(source)
    # Of the functions only the types are asked, so no library is needed.
    command = [os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", include, path, "-o", binary]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        done = subprocess.run([binary], capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr)[:4000]


def main():
    include = sys.argv[1]
    api = json.loads(Path(include, "graphcap-api.json").read_text())
    if len(api["functions"]) < 100 or len(api["structs"]) < 20 or len(api["constants"]) < 100:
        sys.exit("graphcap-api.json has too little")
    directives = [line for line in Path(include, "graphcap_ffi.h").read_text().splitlines() if line.lstrip().startswith("#")]
    problems = [f"graphcap_ffi.h has the directive {line}" for line in directives]
    whole = [f"#include <{header}>" for header in sorted({section["header"] for section in api["sections"]})]
    alone = ["#include <stddef.h>", "#include <stdint.h>", "#include <graphcap_ffi.h>"]
    with tempfile.TemporaryDirectory(prefix="graphcap-api-") as folder:
        problems += [said for said in (run(program(api, whole, True), include, folder), run(program(api, alone, False), include, folder)) if said]
        # The check can fail: a member elsewhere, and a constant of another value.
        api["structs"][0]["members"][-1]["offset"] += 4
        api["constants"][0]["value"] += 1
        if len(run(program(api, whole, False), include, folder).splitlines()) != 2:
            problems.append("wrong data are not noticed")
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(api['functions'])} functions, {len(api['structs'])} structs, {len(api['constants'])} constants are as the JSON says")


if __name__ == "__main__":
    main()
