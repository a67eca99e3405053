# Compiles graphcap.h alone, twice, and with every macro and function of it in use, in every C and C++ standard from C99 and
# C++98 on and by every compiler that is installed, which must complain of a status that is ignored; and graphcap.hpp and
# each of its parts from C++17 on, which graphcap.hpp must demand before. Of wrong_arguments.cpp the wrong lines, and no others, must not compile.
# Run by CTest: header_matrix.py [--brief] <include dir>. With --brief, graphcap.h is compiled in the oldest and the newest standards,
# and each part of graphcap.hpp in one of those that it knows, in turn.
# What it uses is read from the header, so a new macro or function is covered by being there.

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from declarations import functions, inline_functions, macros

C_STANDARDS = ["c99", "c11", "c17", "c2x"]
CXX_STANDARDS = ["c++98", "c++11", "c++14", "c++17", "c++20", "c++23"]
HPP_STANDARDS = ["c++17", "c++20", "c++23"]
BRIEF_STANDARDS = [C_STANDARDS[0], C_STANDARDS[-1], CXX_STANDARDS[0], *HPP_STANDARDS]
WRONG_ARGUMENTS = Path(__file__).with_name("wrong_arguments.cpp")
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-pedantic"]

# What stands for a parameter of a function-like macro. A macro with a parameter of another name fails the test until
# its meaning is written down here.
ARGUMENTS = {
    "variable": "variable",
    "name": '"word"',
    "buffer": "buffer",
    "offset": "16",
    "id": "4",
    "blocks": "4",
    "threads": "32",
    "destination": "buffer",
    "destination_offset": "16",
    "destination_host": "&variable",
    "source": "buffer",
    "source_offset": "16",
    "source_host": "&variable",
    "size": "4",
    "value": "3",
    "flags": "1",
    "element_size": "4",
    "width": "8",
    "height": "2",
    "pitch": "64",
    "kind": "1",
    "name": '"name"',
    "handle": "buffer",
    "pointer": "&variable",
    "function": "NULL",
    "user_data": "&variable",
    "destroy": "NULL",
}


# The macro that is an attribute of functions; every other one is an initialiser, a text or an integer.
ATTRIBUTE = "GRAPHCAP_NODISCARD"

# A status that is ignored, and functions whose status may be.
IGNORED_STATUS = """#include <graphcap.h>
void ignore_it(const gc_stream *stream);
void ignore_it(const gc_stream *stream)
{
    gc_stream_synchronize(stream);
}
"""
IGNORABLE_STATUS = """#include <graphcap.h>
void clean_up(gc_stream *stream, char *why, size_t capacity);
void clean_up(gc_stream *stream, char *why, size_t capacity)
{
    gc_last_error_message(why, capacity, NULL);
    gc_stream_destroy(stream);
}
"""


def struct_of(macro):
    """The struct that an initialiser macro is for: it states the size of it."""
    before, found, after = macro.body.partition("sizeof(")
    if not found:
        raise SystemExit(f"{macro.name} looks like an initialiser but states no struct_size")
    return after.partition(")")[0].strip()


def use_of(macro):
    """Declarations for the body of a function that use one macro as a program would."""
    unknown = [name for name in macro.parameters or [] if name not in ARGUMENTS]
    if unknown:
        raise SystemExit(f"{macro.name} has parameters that header_matrix.py does not know: {', '.join(unknown)}")
    call = macro.call(ARGUMENTS)
    if macro.name == ATTRIBUTE:
        return [f"{call} int use_as_an_attribute(void);"]
    local = "use_" + macro.name.lower()
    if macro.body.startswith("{"):
        struct = struct_of(macro)
        lines = [f"{struct} {local} = {call};", f"if ({local}.struct_size != sizeof({struct})) ++wrong;"]
        if macro.parameters is None:
            lines.append(f"static const {struct} {local}_static = {call};")
            lines.append(f"if ({local}_static.struct_size != {local}.struct_size) ++wrong;")
        return lines
    if macro.body.startswith('"'):
        return [f"static const char {local}[] = {call};", f"if (sizeof {local} < 2) ++wrong;"]
    # An integer: usable by the preprocessor, as a case label and as a value. Some have all 32 bits of a uint32_t.
    return [
        f"#if ({call}) + 0 != ({call})",
        f"#error {macro.name} is not an integer for the preprocessor",
        "#endif",
        f"switch (selector) {{ case {call}: ++wrong; break; default: break; }}",
    ]


def program_using_everything(compiler, header):
    """A C and C++ source that uses every macro and takes the address of every function, of the inline ones too."""
    lines = [
        "#include <graphcap_allocators.h>",
        "typedef void (*any_function)(void);",
        "int use_everything(gc_buffer *buffer, uint32_t variable, int64_t selector);",
        "int use_everything(gc_buffer *buffer, uint32_t variable, int64_t selector)",
        "{",
        "int wrong = 0;",
        "(void)buffer; (void)variable; (void)selector;",
    ]
    for macro in macros(compiler, header):
        lines += ["{", *use_of(macro), "}"]
    # Through a volatile, or the compiler warns that an address is never NULL.
    lines += ["{", "volatile any_function address;"]
    for function in functions(compiler, header) + inline_functions(compiler, header):
        lines.append(f"address = (any_function){function}; if (!address) ++wrong;")
    lines += ["}", "return wrong;", "}", ""]
    return "\n".join(lines)


def compilers():
    """The compilers to use: (name, language). CC and CXX first, then GCC and Clang where they are installed."""
    found = {}
    for language, candidates in (("c", [os.environ.get("CC"), "gcc", "clang"]), ("c++", [os.environ.get("CXX"), "g++", "clang++"])):
        for name in candidates:
            path = shutil.which(name) if name else None
            if path:
                found.setdefault((os.path.realpath(path), language), (name, language))
    return list(found.values())


def compile_wrong(command):
    """Compiles wrong_arguments.cpp; returns which lines compiled that should not have, or the other way round, or None."""
    # Every error is wanted: clang stops after 20 else.
    limit = "-ferror-limit=0" if "__clang__" in subprocess.run(
        [command[0], "-dM", "-E", "-x", "c++", os.devnull], capture_output=True, text=True
    ).stdout else "-fmax-errors=0"
    run = subprocess.run([*command, limit], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = WRONG_ARGUMENTS.read_text().splitlines()
    wanted = {number for number, line in enumerate(lines, 1) if line.endswith("// wrong")}
    found = {int(number) for number in re.findall(re.escape(str(WRONG_ARGUMENTS)) + r":(\d+):\d+: error", run.stderr)}
    if wanted and found == wanted:
        return None
    told = [f"$ {' '.join(command)}"]
    told += [f"line {number} must not compile: {lines[number - 1].strip()}" for number in sorted(wanted - found)]
    told += [f"line {number} must compile: {lines[number - 1].strip()}" for number in sorted(found - wanted)]
    return "\n".join(told + run.stderr.splitlines()[:20])


def compile_one(compiler, language, standard, source, include):
    """Compiles a source with warnings as errors; returns what the compiler said, or None when it was content. Of the source
    that ignores a status the compiler must complain."""
    command = [compiler, "-x", language, f"-std={standard}", *WARNINGS, "-I", include, "-c", str(source), "-o", os.devnull]
    if source == WRONG_ARGUMENTS:
        return compile_wrong(command)
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if source.stem == "ignored":
        if run.returncode != 0 and "unused-result" in run.stderr:
            return None
        return f"$ {' '.join(command)}\nsaid nothing of a status that is ignored\n{run.stderr}"
    if source.stem == "hpp_old":
        errors = [line for line in run.stderr.splitlines() if ": error: " in line or ": fatal error: " in line]
        if run.returncode != 0 and len(errors) == 1 and "graphcap.hpp needs C++17" in errors[0]:
            return None
        return f"$ {' '.join(command)}\ndid not say, and that alone, that it needs C++17\n{run.stderr[:2000]}"
    # A warning without -Werror's reach, for example of the driver, is no success either.
    if run.returncode == 0 and not run.stderr:
        return None
    # The first lines say what is wrong; a mistake in the header repeats itself for pages.
    return "\n".join([f"$ {' '.join(command)}", *(run.stdout + run.stderr).splitlines()[:20]])


def main():
    brief = "--brief" in sys.argv
    include = sys.argv[-1]
    available = compilers()
    for language in ("c", "c++"):
        if not any(language == offered for _, offered in available):
            raise SystemExit(f"no compiler for {language} was found")
    with tempfile.TemporaryDirectory(prefix="graphcap-header-") as folder:
        folder = Path(folder)
        first_c = next(name for name, language in available if language == "c")
        contents = {
            "empty": "typedef int nothing;\n",
            "alone": "#include <graphcap.h>\n",
            "twice": "#include <graphcap.h>\n#include <graphcap.h>\n",
            "allocators": "#include <graphcap_allocators.h>\n#include <graphcap_allocators.h>\n#include <graphcap.h>\n",
            "used": program_using_everything(first_c, Path(include) / "graphcap_allocators.h"),
            "ignored": IGNORED_STATUS,
            "ignorable": IGNORABLE_STATUS,
            "allowed": f"#define {ATTRIBUTE}\n{IGNORED_STATUS}",
            "hpp_old": "#include <graphcap.hpp>\n",
            "hpp_alone": "#include <graphcap.hpp>\n",
            "hpp_twice": "#include <graphcap.hpp>\n#include <graphcap.hpp>\n#include <graphcap.h>\n",
        }
        hpp_names = {standard: ["hpp_alone", "hpp_twice", "hpp_wrong"] for standard in HPP_STANDARDS}
        hpp_names |= {standard: ["hpp_old"] for standard in CXX_STANDARDS if standard not in HPP_STANDARDS}
        for at, part in enumerate(sorted(Path(include).glob("graphcap/*.hpp"))):
            name = f"hpp_{part.stem}"
            contents[name] = f"#include <graphcap/{part.name}>\n"
            for standard in [HPP_STANDARDS[at % len(HPP_STANDARDS)]] if brief else HPP_STANDARDS:
                hpp_names[standard].append(name)
        sources = {}
        for name, text in contents.items():
            sources[name] = folder / f"{name}.inc"
            sources[name].write_text(text)
        sources["hpp_wrong"] = WRONG_ARGUMENTS

        rows = []
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            for compiler, language in available:
                for standard in C_STANDARDS if language == "c" else CXX_STANDARDS:
                    if brief and standard not in BRIEF_STANDARDS:
                        continue
                    # An old compiler may lack the newest standard; every one has a way to say so.
                    if compile_one(compiler, language, standard, sources["empty"], include):
                        rows.append((compiler, standard, None))
                        continue
                    names = ["alone", "twice", "allocators", "used", "ignored", "ignorable", "allowed"]
                    names += hpp_names.get(standard, [])
                    jobs = [(name, pool.submit(compile_one, compiler, language, standard, sources[name], include)) for name in names]
                    rows.append((compiler, standard, jobs))

            failures = []
            compiled = 0
            for compiler, standard, jobs in rows:
                if jobs is None:
                    print(f"{compiler:10} {standard:6} not known to this compiler, skipped")
                    continue
                answers = [(name, job.result()) for name, job in jobs]
                compiled += len(answers)
                failures += [answer for _, answer in answers if answer]
                print(f"{compiler:10} {standard:6} " + "  ".join(f"{name}: {'FAILED' if answer else 'ok'}" for name, answer in answers))
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{compiled} compilations, {len(failures)} failed")
    return 1 if failures or not compiled else 0


if __name__ == "__main__":
    sys.exit(main())
