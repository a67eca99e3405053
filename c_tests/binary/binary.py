# Checks the libraries that are installed: symbols, SONAME, NODELETE, needed libraries, no debug information, no folder of the
# build machine, and that the static archive links a C program.
# Run by CTest: binary.py --header H --symbols LIST --shared SO --static A --soname NAME --system-libs "gcc_s util ..."
#                         --source-dir TREE --target-dir CARGO'S --build-tree-libraries FOLDER
# LIST is src/ffi/symbols.txt, whose diff shows a reviewer what the ABI gained or lost. The libraries of the build tree have debug
# information; they must not name folders either.

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "header"))
from declarations import functions

# The C library in its parts, and the unwinder of GCC, which Rust's panics need.
MAY_BE_NEEDED = re.compile(r"(libc|libm|libdl|libpthread|librt|libutil|libgcc_s|ld-linux[\w-]*|ld64|ld-musl-\w+|libc\.musl-\w+)\.so(\.\d+)*")


def output(*command, **options):
    """The output of a command; its failure ends the test with its own message."""
    run = subprocess.run(command, capture_output=True, text=True, **options)
    if run.returncode != 0:
        raise SystemExit(f"$ {' '.join(command)}\n{run.stdout}{run.stderr}")
    return run.stdout + run.stderr


def dynamic_section(library):
    """The dynamic section as {tag: [text, ...]}."""
    found = {}
    for tag, text in re.findall(r"^ *0x[0-9a-f]+ \((\w+)\)\s+(.*)$", output("readelf", "-dW", library), re.MULTILINE):
        found.setdefault(tag, []).append(text.strip())
    return found


def bracketed(texts):
    """The names that readelf prints in brackets."""
    return [name for text in texts for name in re.findall(r"\[(.*)\]", text)]


def difference(wanted, found):
    """One line per name that only one of two lists has."""
    return [f"  missing: {name}" for name in sorted(set(wanted) - set(found))] + [
        f"  too many: {name}" for name in sorted(set(found) - set(wanted))
    ]


class Report:
    """Prints one line per check and remembers whether all held."""

    def __init__(self):
        self.failed = 0

    def check(self, name, holds, detail=""):
        print(f"{'ok    ' if holds else 'FAILED'} {name}" + (f": {detail}" if detail and holds else ""))
        if not holds:
            self.failed += 1
            print(detail)


def check_exports(report, arguments, compiler):
    declared = functions(compiler, arguments.header)
    lines = output("nm", "--dynamic", "--defined-only", arguments.shared).splitlines()
    exported = sorted(line.split()[-1] for line in lines)
    wrong = difference(declared, exported)
    report.check("the shared library exports what the header declares, and nothing else", not wrong, "\n".join(wrong) or f"{len(exported)} functions")
    wrong = difference(Path(arguments.symbols).read_text().split(), exported)
    report.check("the exports are those of the committed list", not wrong, "\n".join(wrong))


def check_static_symbols(report, arguments):
    """Another static library of Rust defines the same names of Rust's standard library."""
    lines = output("nm", "--extern-only", "--defined-only", arguments.static).splitlines()
    found = sorted(line.split()[-1] for line in lines if len(line.split()) == 3)
    wrong = difference(Path(arguments.symbols).read_text().split(), found)
    report.check("the global symbols of the static library are those of the committed list", not wrong, "\n".join(wrong))
    groups = output("readelf", "-gW", arguments.static)
    report.check("the static library has no section groups", "There are no section groups" in groups, groups)


def check_stripped(report, arguments):
    for library in (arguments.shared, arguments.static):
        sections = re.findall(r"\.z?debug_\w+", output("readelf", "-SW", library))
        report.check(f"no debug information in {Path(library).name}", not sections, " ".join(sections))
    symbols = output("nm", arguments.shared)
    report.check("no local symbols in the shared library", "no symbols" in symbols, symbols[:500])


def folders_of_this_machine(arguments):
    """The folders that no library may name, by the names that they were given and without symbolic links."""
    home = os.environ.get("HOME", "")
    sysroot = output("rustc", "--print", "sysroot", cwd=arguments.source_dir).strip()
    cargo_home = os.environ.get("CARGO_HOME") or f"{home}/.cargo"
    named = [arguments.source_dir, arguments.target_dir, home, cargo_home, sysroot]
    both = {folder.rstrip("/") for path in named if path for folder in (path, os.path.realpath(path))}
    return sorted(folder for folder in both if folder)


def check_paths(report, arguments):
    folders = folders_of_this_machine(arguments)
    libraries = [Path(arguments.shared), Path(arguments.static)]
    libraries += [file for file in sorted(Path(arguments.build_tree_libraries).iterdir()) if not file.is_symlink()]
    for library in libraries:
        content = library.read_bytes()
        found = sorted(
            {
                text[0].decode()
                for folder in folders
                for text in re.finditer(re.escape(folder.encode()) + rb"(?:/[ -~]{0,100}|(?![ -~]))", content)
            }
        )
        name = f"{library.parent.parent.name}/{library.parent.name}/{library.name}"
        report.check(f"no folder of this machine in {name}", not found, "\n".join(found[:20]) or " ".join(folders))


def check_dynamic_section(report, arguments):
    section = dynamic_section(arguments.shared)
    soname = bracketed(section.get("SONAME", []))
    report.check("SONAME", soname == [arguments.soname], f"{soname}, wanted {arguments.soname}" if soname != [arguments.soname] else arguments.soname)
    flags = " ".join(section.get("FLAGS_1", []))
    report.check("NODELETE: dlclose leaves the library's threads their code", "NODELETE" in flags, flags)
    needed = bracketed(section.get("NEEDED", []))
    foreign = [name for name in needed if not MAY_BE_NEEDED.fullmatch(name)]
    report.check("nothing but the C library and libgcc_s is needed", not foreign, " ".join(foreign or needed))
    paths = bracketed(section.get("RPATH", []) + section.get("RUNPATH", []))
    report.check("no search path is built in", not paths, " ".join(paths))
    report.check("no text relocations", "TEXTREL" not in section)
    executable_stack = re.search(r"GNU_STACK .*\bRWE\b", output("readelf", "-lW", arguments.shared))
    report.check("no executable stack", not executable_stack)


def check_static(report, arguments, compiler):
    libs = arguments.system_libs.split()
    with tempfile.TemporaryDirectory(prefix="graphcap-binary-") as folder:
        empty = Path(folder) / "empty.rs"
        empty.write_text("")
        # std alone states the same libraries as graphcap does, in a fraction of the time.
        stated = output("rustc", "--crate-type", "staticlib", "--print", "native-static-libs", "-o", f"{folder}/empty.a", str(empty))
        wanted = re.search(r"native-static-libs: (.*)", stated)[1].replace("-l", "").split()
        wrong = difference(wanted, libs)
        report.check("the system libraries of the static archive are those that rustc states", not wrong, "\n".join(wrong) or " ".join(libs))

        source = Path(folder) / "main.c"
        source.write_text(
            "#include <graphcap.h>\n#include <stdio.h>\n"
            "int main(void) { puts(gc_version_string()); return gc_version() != GRAPHCAP_VERSION_NUMBER; }\n"
        )
        program = f"{folder}/program"
        include = str(Path(arguments.header).parent)
        output(compiler, "-std=c11", "-I", include, str(source), arguments.static, *(f"-l{lib}" for lib in libs), "-o", program)
        version = output(program).strip()
        report.check("the static archive links a C program that runs", bool(version), version)
        report.check("the program does not need the shared library", "libgraphcap" not in output("ldd", program))


def main():
    parser = argparse.ArgumentParser()
    names = ("--header", "--symbols", "--shared", "--static", "--soname", "--system-libs")
    for name in (*names, "--source-dir", "--target-dir", "--build-tree-libraries"):
        parser.add_argument(name, required=True)
    arguments = parser.parse_args()
    compiler = os.environ.get("CC", "cc")
    report = Report()
    check_exports(report, arguments, compiler)
    check_static_symbols(report, arguments)
    check_stripped(report, arguments)
    check_paths(report, arguments)
    check_dynamic_section(report, arguments)
    check_static(report, arguments, compiler)
    print(f"{report.failed} checks failed" if report.failed else "all checks hold")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
