#!/usr/bin/env python3
"""Compares the binary interface of the shared library with base.txt, that of the version that it must not break, by abidiff of libabigail.

    abi.py check LIBRARY    fails where a function, type, member or number of base.txt is gone or is another one
    abi.py write LIBRARY    writes base.txt anew
    abi.py plant            plants changes in base.txt's interface, and fails where abidiff does not report one

The library is one with debugging information, which `make abi-check` builds. abidw reads the exported functions out of it, and the types
that they name. base.txt has them in C's terms, without Rust's modules and places in the sources, so that it changes with the interface
alone; and the constants, of which debugging information has none. Functions, members at the end of structs and constants may be added.
Exits with 77 where abidw and abidiff are not installed; Debian's package is abigail-tools."""

import copy
import json
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

HERE = Path(__file__).resolve().parent
BASE = HERE / "base.txt"
API = HERE.parents[1] / "include/graphcap-api.json"

# Rust's names in C, and the sizes of C's in bits.
NAMES = {
    "i8": "char", "u8": "uint8_t", "i16": "int16_t", "u16": "uint16_t", "i32": "int32_t", "u32": "uint32_t", "i64": "int64_t",
    "u64": "uint64_t", "isize": "ptrdiff_t", "usize": "size_t", "f32": "float", "f64": "double", "c_void": "void", "()": "void",
    "HostBlock": "gc_host_block",
}
BITS = {
    "char": 8, "uint8_t": 8, "int16_t": 16, "uint16_t": 16, "int32_t": 32, "uint32_t": 32, "int64_t": 64, "uint64_t": 64,
    "ptrdiff_t": 64, "size_t": 64, "float": 32, "double": 64,
}
POINTER = 64


class Interface:
    """Functions: {name: (type of the result, [(type, name)])}. Records: {name: (kind, bits, [(offset, type, name)])}. Constants:
    {name: number}. A type is written as C does, with all that is behind the name: char[64], gc_stream*, void(void*)*."""

    def __init__(self):
        self.functions, self.records, self.constants = {}, {}, {}

    def text(self):
        lines = [f"{name} = {number}" for name, number in sorted(self.constants.items())]
        for name, (kind, bits, members) in sorted(self.records.items()):
            lines.append(f"{kind} {name} {bits}: " + ", ".join(" ".join(map(str, member)) for member in members))
        for name, (returns, parameters) in sorted(self.functions.items()):
            lines.append(f"{name}: {returns}: " + ", ".join(" ".join(parameter) for parameter in parameters))
        return "".join(line.rstrip() + "\n" for line in lines)

    @staticmethod
    def read(text):
        read = Interface()
        for line in text.splitlines():
            if " = " in line:
                name, number = line.split(" = ")
                read.constants[name] = int(number)
                continue
            before, *returns, parts = line.split(":")
            parts = [part.split() for part in parts.split(", ") if part.strip()]
            if returns:
                read.functions[before] = returns[0].strip(), [(kind, name) for kind, name in parts]
            else:
                kind, name, bits = before.split()
                read.records[name] = kind, int(bits), [(int(offset), of, member) for offset, of, member in parts]
        return read


class Found:
    """The description of a library by abidw."""

    def __init__(self, corpus):
        self.types, self.interface = {}, Interface()
        for node in corpus.iter():
            if node.get("id") and len(node) >= len(self.types.get(node.get("id"), ())):
                self.types[node.get("id")] = node
        for node in corpus.iter("function-decl"):
            if node.get("elf-symbol-id"):
                parameters = [(self.type(part.get("type-id")), part.get("name")) for part in node.iter("parameter")]
                self.interface.functions[node.get("elf-symbol-id")] = self.returned(node), parameters

    def returned(self, node):
        number = next((part.get("type-id") for part in node.iter("return")), None)
        return self.type(number) if number in self.types else "void"

    def type(self, number):
        node = self.types[number]
        name = NAMES.get(node.get("name"), node.get("name", ""))
        if name.startswith("Option<"):
            # A function that may be NULL.
            return self.type(next(inner.get("type-id") for inner in node.iter("var-decl")))
        if node.tag == "pointer-type-def":
            return self.type(node.get("type-id")) + "*"
        if node.tag == "array-type-def":
            return self.type(node.get("type-id")) + "".join(f"[{part.get('length')}]" for part in node.iter("subrange"))
        if node.tag == "function-type":
            return f"{self.returned(node)}({','.join(self.type(part.get('type-id')) for part in node.iter('parameter'))})"
        if node.tag in ("class-decl", "union-decl") and name not in self.interface.records:
            members = [member for member in node.findall("data-member") if member.find("var-decl").get("name") != "_private"]
            if members:
                kind = "union" if node.tag == "union-decl" else "struct"
                listed = []
                self.interface.records[name] = kind, int(node.get("size-in-bits")), listed
                for member in members:
                    variable = member.find("var-decl")
                    place = int(member.get("layout-offset-in-bits", 0)), self.type(variable.get("type-id")), variable.get("name")
                    listed.append(place)
        return name


class Corpus:
    """An interface as abidiff reads it."""

    def __init__(self, interface):
        self.interface, self.types = interface, {}
        symbols = xml.Element("elf-function-symbols")
        self.declarations = xml.Element("abi-instr", {"address-size": "64", "path": "graphcap", "language": "LANG_C11"})
        functions = []
        for name, (returns, parameters) in sorted(interface.functions.items()):
            symbol = {"type": "func-type", "binding": "global-binding", "visibility": "default-visibility", "is-defined": "yes"}
            xml.SubElement(symbols, "elf-symbol", {"name": name, **symbol})
            symbol = {"visibility": "default", "binding": "global", "size-in-bits": "64", "elf-symbol-id": name}
            functions.append(xml.Element("function-decl", {"name": name, "mangled-name": name, **symbol}))
            for kind, parameter in parameters:
                xml.SubElement(functions[-1], "parameter", {"type-id": self.type(kind), "name": parameter})
            xml.SubElement(functions[-1], "return", {"type-id": self.type(returns)})
        self.declarations.extend(functions)
        self.corpus = xml.Element("abi-corpus", {"version": "2.1", "soname": "libgraphcap.so.0"})
        self.corpus.extend([symbols, self.declarations])

    def type(self, name):
        """Declares a type; its name is its id."""
        if name in self.types:
            return name
        self.types[name] = element = xml.SubElement(self.declarations, "type-decl", {"id": name})
        if name.endswith("*"):
            self.become(element, "pointer-type-def", {"type-id": self.type(name[:-1]), "size-in-bits": str(POINTER)})
        elif name.endswith("]"):
            of, length = re.fullmatch(r"(.*)\[(\d+)\]", name).groups()
            bits = {"dimensions": "1", "type-id": self.type(of), "size-in-bits": str(self.bits(name))}
            self.become(element, "array-type-def", bits)
            xml.SubElement(element, "subrange", {"length": length, "type-id": self.type("size_t"), "id": f"of {length}"})
        elif name.endswith(")"):
            returns, parameters = re.fullmatch(r"(\w+\**)\((.*)\)", name).groups()
            self.become(element, "function-type", {"size-in-bits": str(POINTER)})
            for parameter in filter(None, parameters.split(",")):
                xml.SubElement(element, "parameter", {"type-id": self.type(parameter)})
            xml.SubElement(element, "return", {"type-id": self.type(returns)})
        elif name in self.interface.records:
            kind, bits, members = self.interface.records[name]
            tag = {"struct": "class-decl", "union": "union-decl"}[kind]
            self.become(element, tag, {"name": name, "visibility": "default", "size-in-bits": str(bits)})
            if kind == "struct":
                element.set("is-struct", "yes")
            for offset, of, member in members:
                place = {"access": "public", **({"layout-offset-in-bits": str(offset)} if kind == "struct" else {})}
                variable = {"name": member, "type-id": self.type(of), "visibility": "default"}
                xml.SubElement(xml.SubElement(element, "data-member", place), "var-decl", variable)
        elif name in BITS:
            self.become(element, "type-decl", {"name": name, "size-in-bits": str(BITS[name])})
        elif name == "void":
            self.become(element, "type-decl", {"name": name})
        else:
            told = {"name": name, "is-struct": "yes", "visibility": "default", "is-declaration-only": "yes"}
            self.become(element, "class-decl", told)
        return name

    @staticmethod
    def become(element, tag, attributes):
        element.tag = tag
        element.attrib.update(attributes)

    def bits(self, name):
        if name.endswith("*"):
            return POINTER
        if name.endswith("]"):
            of, length = re.fullmatch(r"(.*)\[(\d+)\]", name).groups()
            return self.bits(of) * int(length)
        return BITS.get(name) or self.interface.records[name][1]


def of_library(library):
    """The interface of a library, with the constants of graphcap-api.json."""
    done = subprocess.run(["abidw", "--no-show-locs", str(library)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"abidw {library}: {done.stderr}")
    interface = Found(xml.fromstring(done.stdout)).interface
    if not interface.functions:
        sys.exit(f"abidw finds no functions in {library}: does it have debugging information?")
    api = json.loads(API.read_text())
    interface.constants = {constant["name"]: constant["value"] for constant in api["constants"] + api["statuses"]}
    return interface


def without_growth(old, new):
    """A new interface without the members that it has at the end of structs: each call tells the size of the struct that it has, in the
    first member. abidiff can be told to allow such members, but then allows members of other types as well:
    findings/abidiff_and_members_at_the_end.sh."""
    cut = copy.copy(new)
    cut.records = dict(new.records)
    for name, (kind, bits, members) in old.records.items():
        _, now, new_members = new.records.get(name, (kind, bits, members))
        more = new_members[len(members) :]
        same = [member[2] for member in members] == [member[2] for member in new_members[: len(members)]]
        if more and same and members[0][2] == "struct_size" and more[0][0] >= bits and now > bits:
            cut.records[name] = kind, bits, new_members[: len(members)]
    return cut


def broken(old, new):
    """The parts of an interface that a new one breaks; empty when programs of the old one run with it."""
    report = ""
    for name, number in old.constants.items():
        if new.constants.get(name) != number:
            report += f"{name} was {number} and is {new.constants.get(name, 'gone')}\n"
    with tempfile.TemporaryDirectory(prefix="graphcap-abi-") as folder:
        paths = [Path(folder, name) for name in ("old.xml", "new.xml")]
        for path, interface in zip(paths, (old, without_growth(old, new))):
            path.write_bytes(xml.tostring(Corpus(interface).corpus))
        command = ["abidiff", "--harmless", "--no-added-syms", *paths]
        done = subprocess.run(command, capture_output=True, text=True)
    # 1 and 2: abidiff could not do it. 4 and 8: changes.
    if done.returncode & 3 or done.returncode < 0:
        sys.exit(f"abidiff: {done.returncode}\n{done.stdout}{done.stderr}")
    return report + (done.stdout if done.returncode else "")


def gone(new):
    del new.functions["gc_graph_upload"]


def other_parameter(new):
    returns, parameters = new.functions["gc_stream_memset"]
    new.functions["gc_stream_memset"] = returns, [("uint64_t" if name == "value" else of, name) for of, name in parameters]


def other_result(new):
    new.functions["gc_version"] = "uint64_t", new.functions["gc_version"][1]


def inserted(new, at, name="gc_memset_params"):
    """Inserts a member of 8 bytes."""
    kind, bits, members = new.records[name]
    place = members[at][0] if at < len(members) else bits
    behind = [(offset + 64, of, member) for offset, of, member in members[at:]]
    new.records[name] = kind, bits + 64, [*members[:at], (place, "uint64_t", "planted"), *behind]


def other_member(new):
    kind, bits, members = new.records["gc_memset_params"]
    new.records["gc_memset_params"] = kind, bits, [(at, "int64_t" if name == "width" else of, name) for at, of, name in members]


def other_callback(new):
    returns, parameters = new.functions["gc_stream_launch_host_func"]
    changed = [(of.replace("(void*)", "(void*,uint32_t)") if name == "function" else of, name) for of, name in parameters]
    new.functions["gc_stream_launch_host_func"] = returns, changed


def other_number(new):
    new.constants["GRAPHCAP_WORK_MEMSET"] += 1


def other_name(new):
    kind, bits, members = new.records["gc_memset_params"]
    new.records["gc_memset_params"] = kind, bits, [(at, of, "columns" if name == "width" else name) for at, of, name in members]


BREAKING = {
    "a function is gone": gone,
    "a parameter has another type": other_parameter,
    "a result has another type": other_result,
    "a member stands before others": lambda new: inserted(new, 2),
    "a member has another type": other_member,
    "a member has another name": other_name,
    "a member is at the end of a struct that does not tell its size": lambda new: inserted(new, 99, "gc_edge_data"),
    "a callback has another parameter": other_callback,
    "a constant has another number": other_number,
}
ADDED = {
    "nothing": lambda new: None,
    "a function": lambda new: new.functions.update(gc_planted=("int32_t", [("gc_stream*", "stream")])),
    "a member at the end of a struct": lambda new: inserted(new, len(new.records["gc_memset_params"][2])),
    "a constant": lambda new: new.constants.update(GRAPHCAP_PLANTED=1),
}


def plant():
    old, wrong = Interface.read(BASE.read_text()), []
    if old.text() != BASE.read_text():
        wrong.append("base.txt is not as it is written")
    for change, make in {**BREAKING, **ADDED}.items():
        new = copy.deepcopy(old)
        make(new)
        report = broken(old, new)
        if bool(report) != (change in BREAKING):
            wrong.append(f"{change}: {report or 'not reported'}")
        if (new.text() != old.text()) != (change != "nothing"):
            wrong.append(f"{change}: not planted")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(BREAKING)} breaking changes are reported, {len(ADDED)} others are not")


def main():
    command, *arguments = sys.argv[1:] or [""]
    if command not in ("check", "write", "plant") or len(arguments) != (command != "plant"):
        sys.exit(__doc__)
    if not shutil.which("abidiff") or not shutil.which("abidw"):
        print("abidiff is missing: install it, for example by apt-get install abigail-tools")
        sys.exit(77)
    if command == "plant":
        plant()
        return
    interface = of_library(arguments[0])
    if command == "write":
        BASE.write_text(interface.text())
    report = broken(Interface.read(BASE.read_text()), interface)
    if report:
        sys.exit(f"The interface of {BASE} is broken:\n{report}")
    print(f"{len(interface.functions)} functions and {len(interface.records)} structs break nothing of {BASE.name}")


if __name__ == "__main__":
    main()
