# What graphcap.h declares, asked of the C preprocessor: its macros and its functions. Shared by the header matrix and the
# check of the exported symbols, so that both see a new declaration without being told.

import re
import subprocess
from pathlib import Path


class Macro:
    """One macro of the header: its name, its parameters (None for an object-like one) and what it expands to in the end."""

    def __init__(self, name, parameters, body):
        self.name = name
        self.parameters = parameters
        self.body = body

    def call(self, arguments):
        """The macro as a program writes it, with the arguments given for its parameters by name."""
        if self.parameters is None:
            return self.name
        return f"{self.name}({', '.join(arguments[name] for name in self.parameters)})"


def preprocessed(compiler, source, *options):
    """A source text after the C preprocessor."""
    command = [compiler, "-std=c11", "-x", "c", "-E", *options, "-"]
    return subprocess.run(command, input=source, check=True, capture_output=True, text=True).stdout


def macros(compiler, header):
    """The GRAPHCAP_ macros of the header in order of name, without the include guard and other macros without a body."""
    include = f'#include "{Path(header).resolve()}"\n'
    found = []
    for line in preprocessed(compiler, include, "-dM").splitlines():
        match = re.fullmatch(r"#define (GRAPHCAP_\w+)(\([^)]*\))? ?(.*)", line)
        if match and match[3]:
            parameters = None if match[2] is None else [name.strip() for name in match[2][1:-1].split(",")]
            found.append(Macro(match[1], parameters, match[3]))
    if not found:
        raise SystemExit(f"{header} defines no macro that begins with GRAPHCAP_")

    # A macro may stand for another one, so each is expanded to the end, its parameters standing for themselves.
    mark = "expansion_begins_here"
    calls = [macro.call({name: name for name in macro.parameters or []}) for macro in found]
    expansions = preprocessed(compiler, include + "".join(f"{mark} {call}\n" for call in calls), "-P").split(mark)[1:]
    for macro, expansion in zip(found, expansions, strict=True):
        macro.body = " ".join(expansion.split())
    return sorted(found, key=lambda macro: macro.name)


def functions(compiler, header):
    """The names of the functions that the header declares and the library exports, in order."""
    return every_function(compiler, header)[0]


def inline_functions(compiler, header):
    """The names of the functions that are compiled with the program, in order."""
    return every_function(compiler, header)[1]


def every_function(compiler, header):
    """The names of the functions of the header, those that the library exports and the inline ones."""
    text = preprocessed(compiler, f'#include "{Path(header).resolve()}"\n', "-P")
    # A function type is written (*gc_name)(...): neither its name nor what it returns is that of a function.
    found = set(re.findall(r"\b(gc_\w+)\s*\((?!\*)", text))
    inline = set(re.findall(r"\bstatic inline [\w *]*?\b(gc_\w+)\s*\(", text))
    if not inline or not found > inline:
        raise SystemExit(f"{header} declares no functions, or no inline ones, that begin with gc_")
    return sorted(found - inline), sorted(inline)
