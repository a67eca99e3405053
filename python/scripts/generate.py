#!/usr/bin/env python3
"""Writes the low level of the Python package from include/graphcap-api.json: functions, structs, constants and statuses.

usage: python/scripts/generate.py          writes the files
       python/scripts/generate.py --check  fails if a file is not as it would be written

src/functions.rs        the table of the C functions, and a function for Python that calls each
graphcap/raw/functions.py, .pyi   their names, types and descriptions
graphcap/raw/structs.py     structs as ctypes has them
graphcap/raw/constants.py   constants and statuses
"""

import ast
import json
import keyword
import pathlib
import re
import sys
import textwrap

PYTHON = pathlib.Path(__file__).resolve().parent.parent
API = PYTHON.parent / "include" / "graphcap-api.json"
SAID = "Generated from include/graphcap-api.json by python/scripts/generate.py. Do not edit."

RUST = {"i8": "i8", "u8": "u8", "i32": "i32", "u32": "u32", "i64": "i64", "u64": "u64", "f32": "f32", "void": "()"}
CTYPES = {"i8": "c_char", "u8": "c_uint8", "u16": "c_uint16", "i32": "c_int32", "u32": "c_uint32", "i64": "c_int64", "u64": "c_uint64",
          "f32": "c_float", "f64": "c_double", "pointer": "c_void_p"}  # fmt: skip


class Api:
    """The interface, with look-ups of its types."""

    def __init__(self):
        self.data = json.loads(API.read_text(encoding="utf-8"))
        self.structs = {struct["name"]: struct for struct in self.data["structs"]}
        types = {named["name"]: named for named in self.data["types"]}
        self.handles = [name for name, named in types.items() if named["kind"] == "handle"]
        self.callbacks = {name for name, named in types.items() if named["kind"] == "callback"}
        self.numbers = {name: named["abi"] for name, named in types.items() if named["kind"] == "number"}
        self.numbers |= {"int32_t": "i32", "uint32_t": "u32", "uint64_t": "u64", "size_t": "u64", "float": "f32"}


def pointee(kind):
    """The type that a pointer of C points to, without const; None if it is no pointer."""
    found = re.fullmatch(r"(?:const )?(\w+)(?: \*const)? ?\*", kind)
    return found[1] if found else None


class Parameter:
    """One parameter of a C function: what Python passes for it, or gets back."""

    def __init__(self, api, function, place, told):
        self.name, self.type, self.abi, self.text = told["name"], told["type"], told["abi"], told["text"]
        self.rust = "*mut c_void" if self.abi == "pointer" else RUST[self.abi]
        self.variable = self.name + "_" if keyword.iskeyword(self.name) or self.name == "type" else self.name
        names = [parameter["name"] for parameter in function["parameters"]]
        after = names[place + 1 :]
        is_out = told["direction"] == "out"
        points_to = pointee(self.type)
        sized = "capacity" in after and "needed" in after
        if self.name in {"capacity", "needed"} and "needed" in names:
            self.role = self.name
        elif is_out and sized and self.type == "char *":
            self.role = "text"
        elif is_out and sized and "text" not in names:
            self.role, self.element = "array", points_to
        elif is_out and points_to in api.numbers:
            self.role, self.value = "value", RUST[api.numbers[points_to]]
        elif is_out and re.fullmatch(r"(?:const )?\w+ \*\*", self.type) and self.name != "scalars_out":
            self.role, self.value = "value", "*mut c_void"
        elif self.abi != "pointer":
            self.role = "number"
        elif self.type in api.callbacks:
            self.role = "function"
        elif points_to in api.handles and not re.search(r"\*const|\*\*", self.type):
            self.role, self.handle = "handle", points_to
        elif self.type == "const char *":
            self.role = "string"
        elif not is_out and (points_to == "gc_node" or re.search(r"\*const ?\*", self.type)):
            self.role = "words"
        else:
            self.role = "writable" if told["direction"] != "in" else "pointer"

    @property
    def is_given(self):
        return self.role not in {"text", "array", "value", "capacity", "needed"}

    def hint(self, api):
        if self.role == "number":
            return "int"
        if self.role == "function":
            return "int | None"
        if self.role == "handle":
            return "Handle | int | None"
        if self.role == "string":
            return "str | bytes | None"
        if self.role == "words":
            return "Words"
        return "Pointer"


def camel(name):
    return "".join(part.capitalize() for part in name.removeprefix("gc_").split("_"))


def releases(function):
    """Tells whether the call releases the GIL: all do but questions that no device has to answer, which a callback may ask too."""
    name = function["name"]
    frees = name.endswith(("_destroy", "_destroy_on_stream")) or name.startswith("gc_pool_torch") or name.startswith("gc_pool_rmm")
    return frees or not function["in_callbacks"]


def is_checked(function):
    """Tells whether a status other than 0 becomes an exception. A host function returns the status of gc_host_fail() itself."""
    return function["returns"]["type"] == "gc_status" and function["name"] != "gc_host_fail"


def array_element(api, element):
    if element == "void":
        return "u8"
    if element in api.structs:
        return f"[u64; {api.structs[element]['size'] // 8}]"
    return RUST[api.numbers[element]]


def results(api, function, parameters):
    """The results of the Python function: pairs of a Rust expression and a type hint."""
    found = []
    if not is_checked(function) and function["returns"]["abi"] != "void":
        hint = "str" if function["returns"]["type"] == "const char *" else "int"
        found.append(("text_of(status)" if hint == "str" else "status", hint))
    for parameter in parameters:
        if parameter.role == "value":
            found.append((parameter.variable, "float" if parameter.value == "f32" else "int"))
        elif parameter.role == "text":
            found.append((parameter.variable, "str"))
        elif parameter.role == "array":
            is_bytes = parameter.element == "void" or parameter.element in api.structs
            found.append((f"Bytes({parameter.variable})" if is_bytes else parameter.variable, "bytes" if is_bytes else "list[int]"))
    return found


def rust_function(api, function):
    name = function["name"]
    parameters = [Parameter(api, function, place, told) for place, told in enumerate(function["parameters"])]
    given = [parameter for parameter in parameters if parameter.is_given]
    lines = []
    for place, parameter in enumerate(given):
        how = {
            "number": f"call.{RUST.get(parameter.abi)}({place})?",
            "function": f"call.function({place})?",
            "handle": f"call.handle({place}, Kind::{camel(parameter.handle)})?" if parameter.role == "handle" else "",
            "string": f"call.string({place})?",
            "words": f"call.words({place})?",
            "pointer": f"call.pointer({place}, false)?",
            "writable": f"call.pointer({place}, true)?",
        }[parameter.role]
        lines.append(f"let {parameter.variable} = {how};")
    arguments, sized = [], [parameter for parameter in parameters if parameter.role in {"text", "array"}]
    for parameter in parameters:
        if parameter.role == "value":
            zero = "null_mut()" if parameter.value == "*mut c_void" else "0.0" if parameter.value == "f32" else "0"
            lines.append(f"let mut {parameter.variable}: {parameter.value} = {zero};")
            arguments.append(f"(&raw mut {parameter.variable}).cast()")
        elif parameter.role == "text":
            arguments.append("text")
        elif parameter.role == "array":
            arguments.append(f"{parameter.variable}.as_mut_ptr().cast()")
        elif parameter.role in {"capacity", "needed"} and sized:
            arguments.append(parameter.name)
        else:
            arguments.append(parameter.variable)
    inner = f"unsafe {{ (api.{name})({', '.join(arguments)}) }}"
    how = "released" if releases(function) else "held"
    if any(parameter.role == "text" for parameter in sized):
        lines.append(f"let (status, text) = call.text({str(releases(function)).lower()}, |api, text, capacity, needed| {inner});")
    elif sized:
        for parameter in sized:
            lines.append(f"let mut {parameter.variable}: Vec<{array_element(api, parameter.element)}> = Vec::new();")
        lines.append("let (mut capacity, mut room) = (0, 0u64);")
        lines.append("let needed: *mut c_void = (&raw mut room).cast();")
        lines.append("let status = loop {")
        for parameter in sized:
            zero = "0" if not array_element(api, parameter.element).startswith("[") else f"[0; {api.structs[parameter.element]['size'] // 8}]"
            lines.append(f"    {parameter.variable}.resize(capacity as usize, {zero});")
        lines.append(f"    let status = call.{how}(|api| {inner});")
        lines.append("    if room <= capacity || (status != 0 && status != BUFFER_TOO_SMALL) {")
        lines.append("        break status;")
        lines.append("    }")
        lines.append("    capacity = room;")
        lines.append("};")
        for parameter in sized:
            lines.append(f"{parameter.variable}.truncate(room as usize);")
    else:
        binding = "let status = " if function["returns"]["abi"] != "void" else ""
        lines.append(f"{binding}call.{how}(|api| {inner});")
    if is_checked(function):
        lines.append("call.check(status)?;")
    values = [expression for expression, _ in results(api, function, parameters)]
    if not values:
        lines.append("Ok(none())")
    elif len(values) == 1:
        lines.append(f"{values[0]}.object(call.py)")
    else:
        lines.append(f"tuple(call.py, [{', '.join(f'{value}.object(call.py)?' for value in values)}])")
    body = "\n".join("        " + line for line in lines)
    names = ", ".join(f'"{parameter.name}"' for parameter in given)
    return (
        f'unsafe extern "C-unwind" fn {name}(_: *mut Object, arguments: *const *mut Object, count: isize) -> *mut Object {{\n'
        f"    let run = |call: &mut Call| {{\n{body}\n    }};\n"
        f"    // SAFETY: Python passes `count` arguments, and holds the GIL.\n"
        f'    unsafe {{ enter(arguments, count, "{name}", &[{names}], run) }}\n}}\n'
    )


def write_rust(api):
    out = [f"// {SAID}", ""]
    out.append("use super::{BUFFER_TOO_SMALL, Bytes, Call, Object, ToObject, enter, none, text_of, tuple};")
    out.append("use std::ffi::{CStr, c_char, c_void};")
    out.append("use std::ptr::null_mut;")
    out.append("")
    out.append("/// The least version of the library that has all of these functions.")
    major, minor, patch = (int(part) for part in api.data["version"].split("."))
    out.append(f"pub const VERSION: u32 = {major * 10000 + minor * 100 + patch};")
    out.append(f"pub const VERSION_TEXT: &str = \"{api.data['version']}\";")
    out.append("")
    out.append("/// The types of handles.")
    out.append("#[derive(Clone, Copy, PartialEq, Eq, Debug)]")
    out.append("#[repr(u8)]")
    out.append("pub enum Kind {")
    out += [f"    {camel(name)} = {place}," for place, name in enumerate(api.handles)]
    out.append("}")
    out.append("")
    out.append("impl Kind {")
    out.append(f"    pub const ALL: [Kind; {len(api.handles)}] = [{', '.join('Kind::' + camel(name) for name in api.handles)}];")
    out.append("")
    out.append("    pub fn name(self) -> &'static str {")
    out.append("        match self {")
    out += [f"            Kind::{camel(name)} => \"{camel(name)}\"," for name in api.handles]
    out.append("        }")
    out.append("    }")
    out.append("")
    out.append("    /// The function that destroys a handle of this type.")
    out.append("    pub fn destroy(self, api: &Api) -> Option<unsafe extern \"C-unwind\" fn(*mut c_void) -> i32> {")
    out.append("        match self {")
    functions = {function["name"] for function in api.data["functions"]}
    for name in api.handles:
        known = f"Some(api.{name}_destroy)" if f"{name}_destroy" in functions else "None"
        out.append(f"            Kind::{camel(name)} => {known},")
    out.append("        }")
    out.append("    }")
    out.append("}")
    out.append("")
    out.append("/// The C functions of the library.")
    out.append("pub struct Api {")
    for function in api.data["functions"]:
        parameters = ", ".join(RUST.get(told["abi"], "*mut c_void") for told in function["parameters"])
        told = function["returns"]
        answer = {"const char *": "*const c_char"}.get(told["type"], "*mut c_void" if told["abi"] == "pointer" else RUST[told["abi"]])
        arrow = "" if answer == "()" else f" -> {answer}"
        out.append(f"    pub {function['name']}: unsafe extern \"C-unwind\" fn({parameters}){arrow},")
    out.append("}")
    out.append("")
    out.append("impl Api {")
    out.append("    /// Finds each function by its name, or returns the name that `find` does not know.")
    out.append("    ///")
    out.append("    /// # Safety")
    out.append("    /// What `find` gives for a name is the function of libgraphcap.so.0 that has this name.")
    out.append("    pub unsafe fn resolve(find: impl Fn(&CStr) -> *mut c_void) -> Result<Api, &'static CStr> {")
    out.append("        let found = |name: &'static CStr| match find(name) {")
    out.append("            function if function.is_null() => Err(name),")
    out.append("            function => Ok(function),")
    out.append("        };")
    out.append("        // SAFETY: the functions have these types by the interface that this file is made of.")
    out.append("        unsafe {")
    out.append("            Ok(Api {")
    for function in api.data["functions"]:
        out.append(f"                {function['name']}: std::mem::transmute::<*mut c_void, _>(found(c\"{function['name']}\")?),")
    out.append("            })")
    out.append("        }")
    out.append("    }")
    out.append("}")
    out.append("")
    for function in api.data["functions"]:
        out.append(rust_function(api, function))
    out.append("/// Functions of the module: name, function, description.")
    out.append("pub const FUNCTIONS: &[(&CStr, super::FastCall, &CStr)] = &[")
    for function in api.data["functions"]:
        text = json.dumps(signature_doc(api, function), ensure_ascii=False)
        out.append(f"    (c\"{function['name']}\", {function['name']}, c{text}),")
    out.append("];")
    return "\n".join(out) + "\n"


def parameters_of(api, function):
    return [Parameter(api, function, place, told) for place, told in enumerate(function["parameters"])]


def described(api, function):
    """The description of a function: effect, parameters, results, errors, GIL."""
    parameters = parameters_of(api, function)
    parts = list(function["text"])
    given = [f"{parameter.name}: {parameter.text}" for parameter in parameters if parameter.is_given and parameter.text]
    if given:
        parts.append("Parameters:\n" + "\n".join("  " + line for line in given))
    back = [f"{parameter.name}: {parameter.text}" for parameter in parameters if parameter.role in {"value", "text", "array"} and parameter.text]
    if back:
        parts.append("Returns:\n" + "\n".join("  " + line for line in back))
    raised = [f"{status['name']}: {status['text']}" for status in function["statuses"] if status["name"] != "GRAPHCAP_SUCCESS"]
    if raised and is_checked(function):
        parts.append("Raises graphcap.Error with the status\n" + "\n".join("  " + line for line in raised))
    parts.append("The call releases the GIL." if releases(function) else "The call keeps the GIL.")
    return "\n\n".join(parts)


def signature_doc(api, function):
    names = ", ".join(parameter.variable for parameter in parameters_of(api, function) if parameter.is_given)
    names = f"{names}, /" if names else ""
    return f"{function['name']}({names})\n--\n\n{described(api, function)}"


def write_functions(api):
    names = [function["name"] for function in api.data["functions"]]
    rows = "\n".join(f"    {name} as {name}," for name in names)
    listed = "\n".join(f'    "{name}",' for name in names)
    return f'"""The C functions of libgraphcap.so.0. {SAID}"""\n\nfrom .._native import (\n{rows}\n)\n\n__all__ = [\n{listed}\n]\n'


def write_stub(api):
    out = [f'"""The C functions of libgraphcap.so.0. {SAID}"""', "", "from .._native import Handle, Pointer, Words", ""]
    out.append("__all__ = [")
    out += [f'    "{function["name"]}",' for function in api.data["functions"]]
    out.append("]")
    out.append("")
    for function in api.data["functions"]:
        parameters = parameters_of(api, function)
        given = [f"{parameter.variable}: {parameter.hint(api)}" for parameter in parameters if parameter.is_given]
        given = ", ".join([*given, "/"]) if given else ""
        hints = [hint for _, hint in results(api, function, parameters)]
        back = "None" if not hints else hints[0] if len(hints) == 1 else f"tuple[{', '.join(hints)}]"
        out.append(f"def {function['name']}({given}) -> {back}:")
        text = described(api, function).replace("\\", "\\\\").replace('"""', "'''")
        out.append('    """' + textwrap.indent(text, "    ").lstrip() + '\n    """')
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def struct_defaults(api, struct):
    """Members that the plain INIT macro of a struct sets beside struct_size and zeros: members and values."""
    found = {}
    for macro in struct.get("macros", []):
        if macro["parameters"] or not macro["name"].endswith("_INIT"):
            continue
        for member, value in zip(struct["members"], macro["values"], strict=True):
            value = value.replace("{", "(").replace("}", ")")
            try:
                read = ast.literal_eval(value)
            except (ValueError, SyntaxError):
                continue
            if member["name"] != "struct_size" and read and read != (0,) and not (isinstance(read, tuple) and not any(flat(read))):
                found[member["name"]] = read
    return found


def flat(value):
    return [inner for part in value for inner in (flat(part) if isinstance(part, tuple) else [part])]


def member_size(api, member):
    """The size in bytes of a member, or of an element of it."""
    if member["abi"] in api.structs:
        return api.structs[member["abi"]]["size"]
    return {"i8": 1, "u8": 1, "u16": 2, "i32": 4, "u32": 4, "f32": 4}.get(member["abi"], 8)


def struct_hint(api, member):
    """Type of a member as Python sees it."""
    kind = member["abi"]
    if member["size"] > member_size(api, member):
        return "bytes" if kind == "i8" else f"_c.Array[{kind if kind in api.structs else '_c.' + CTYPES[kind]}]"
    if kind in api.structs:
        return kind
    return {"pointer": "int | None", "f32": "float", "f64": "float"}.get(kind, "int")


def write_structs(api):
    out = [f'"""The structs of graphcap.h as ctypes has them. {SAID}', ""]
    out.append("A new struct is what its INIT macro makes: struct_size is set, and so are the members that have no other default.")
    out.append('"""')
    out.append("")
    out.append("from __future__ import annotations")
    out.append("")
    out.append("import ctypes as _c")
    out.append("from typing import Any as _Any")
    out.append("")
    names = []
    for struct in api.data["structs"]:
        name, members = struct["name"], struct["members"]
        names.append(name)
        base = "_c.Union" if struct["kind"] == "union" else "_c.Structure"
        out.append("")
        out.append(f"class {name}({base}):")
        out.append('    """' + textwrap.indent("\n\n".join(struct["text"]), "    ").lstrip())
        out.append("")
        out.append("    Members:")
        for member in members:
            out.append(f"        {member['name']}: {member.get('text', '')}".rstrip())
        out.append('    """')
        out.append("")
        out.append("    _fields_ = (")
        for member in members:
            kind = f"_c.{CTYPES[member['abi']]}" if member["abi"] in CTYPES else member["abi"]
            many = member["size"] // member_size(api, member)
            out.append(f'        ("{member["name"]}", {kind if many == 1 else f"{kind} * {many}"}),')
        out.append("    )")
        defaults = struct_defaults(api, struct)
        out += [f"    {member['name']}: {struct_hint(api, member)}" for member in members]
        if members[0]["name"] == "struct_size":
            out.append("")
            out.append("    def __init__(self, **members: _Any) -> None:")
            preset = {"struct_size": f"_c.sizeof({name})"} | {member: repr(value) for member, value in defaults.items()}
            for member, value in preset.items():
                out.append(f'        members.setdefault("{member}", {value})')
            out.append("        super().__init__(**members)")
        out.append("")
        out.append("")
        out.append(f"assert _c.sizeof({name}) == {struct['size']}")
        out.append("")
    listed = "\n".join(f'    "{name}",' for name in names)
    out.append("")
    out.append(f"__all__ = [\n{listed}\n]")
    return "\n".join(out) + "\n"


def write_constants(api):
    out = [f'"""The constants and statuses of graphcap.h. {SAID}"""', ""]
    out.append("from typing import Final")
    out.append("")
    names = []
    for title, rows in (("statuses", api.data["statuses"]), ("constants", api.data["constants"])):
        out.append(f"# {title}")
        for row in rows:
            names.append(row["name"])
            out.append(f"{row['name']}: Final = {row['value']}")
            text = " ".join(row["text"]).replace("\\", "\\\\").replace('"""', "'''")
            if text:
                out.append(f'"""{text}"""' if not text.endswith('"') else f'"""{text} """')
        out.append("")
    out.append("__all__ = [\n" + "\n".join(f'    "{name}",' for name in names) + "\n]")
    return "\n".join(out) + "\n"


def main():
    api = Api()
    written = {
        "src/call/functions.rs": write_rust(api),
        "graphcap/raw/functions.py": write_functions(api),
        "graphcap/raw/functions.pyi": write_stub(api),
        "graphcap/raw/structs.py": write_structs(api),
        "graphcap/raw/constants.py": write_constants(api),
    }
    stale = []
    for name, text in written.items():
        path = PYTHON / name
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"not as include/graphcap-api.json says: {', '.join(stale)}; run python/scripts/generate.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
