# What graphcap.h declares, asked of the C preprocessor: its macros and its functions. Shared by the header matrix and the
# check of the exported symbols, so that both see a new declaration without being told.

import re
import subprocess


class Macro:
    """One macro of the header: its name, its parameters (None for an object-like one) and its body."""

    def __init__(self, name, parameters, body):
        self.name = name
        self.parameters = parameters
        self.body = body


def macros(compiler, header):
    """The GRAPHCAP_ macros of the header in order of name, without the include guard and other macros without a body."""
    command = [compiler, "-std=c11", "-dM", "-E", str(header)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    found = []
    for line in lines:
        match = re.fullmatch(r"#define (GRAPHCAP_\w+)(\([^)]*\))? ?(.*)", line)
        if match and match[3]:
            parameters = None if match[2] is None else [name.strip() for name in match[2][1:-1].split(",")]
            found.append(Macro(match[1], parameters, match[3]))
    if not found:
        raise SystemExit(f"{header} defines no macro that begins with GRAPHCAP_")
    return sorted(found, key=lambda macro: macro.name)


def functions(compiler, header):
    """The names of the functions that the header declares, in order."""
    command = [compiler, "-std=c11", "-E", "-P", str(header)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # A function type is written (*gc_name)(...), so its name is followed by ')' and not found.
    found = sorted(set(re.findall(r"\b(gc_\w+)\s*\(", text)))
    if not found:
        raise SystemExit(f"{header} declares no function that begins with gc_")
    return found
