"""Which libgraphcap.so.0 a process gets, and what an import says that cannot go on."""

import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

import graphcap

LIBRARY = pathlib.Path(graphcap.__file__).parent / "lib" / "libgraphcap.so.0"


def run(script, **environment):
    given = {name: value for name, value in os.environ.items() if name != "GRAPHCAP_LIBRARY"} | environment
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, env=given, timeout=120)


def printed(script, **environment):
    done = run(script, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


TELL = "import graphcap; print(graphcap.get_library(), '|', graphcap.library_origin())"


def test_the_package_has_its_own():
    assert printed(TELL) == f"{LIBRARY} | the package's own"


def test_one_that_the_environment_names(tmp_path):
    other = tmp_path / "libgraphcap.so.0"
    shutil.copy(LIBRARY, other)
    assert printed(TELL, GRAPHCAP_LIBRARY=str(other)) == f"{other} | GRAPHCAP_LIBRARY"


@pytest.mark.parametrize("flag", ["ctypes.RTLD_GLOBAL", "ctypes.DEFAULT_MODE"])
def test_one_that_the_process_has_is_taken(tmp_path, flag):
    other = tmp_path / "libgraphcap.so.0"
    shutil.copy(LIBRARY, other)
    script = f"import ctypes; ctypes.CDLL({str(other)!r}, {flag}); {TELL}"
    for environment in ({}, {"GRAPHCAP_LIBRARY": str(LIBRARY)}):
        assert printed(script, **environment) == f"{other} | loaded by the process before"


def test_ctypes_after_the_import_has_the_same_core():
    script = (
        "import ctypes, graphcap\n"
        "gc = ctypes.CDLL('libgraphcap.so.0')\n"
        "gc.gc_live_handles.restype = ctypes.c_uint64\n"
        "before = gc.gc_live_handles()\n"
        "context = graphcap.Context('host')\n"
        "print(gc.gc_live_handles() - before)\n"
    )
    assert printed(script) == "1"


EXTENSION = """
#include <Python.h>
#include <graphcap.h>
static PyObject *live(PyObject *self, PyObject *unused) { return PyLong_FromUnsignedLongLong(gc_live_handles()); }
static PyMethodDef methods[] = {{"live", live, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "linked", NULL, -1, methods};
PyMODINIT_FUNC PyInit_linked(void) { return PyModule_Create(&module); }
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("order", ["import linked, graphcap", "import graphcap, linked"])
def test_beside_an_extension_that_links_the_library(tmp_path, order):
    (tmp_path / "linked.c").write_text(EXTENSION, encoding="utf-8")
    library = LIBRARY.parent
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-I", sysconfig.get_paths()["include"], "-I", graphcap.get_include(), "linked.c", "-o", "linked.so",
         "-L", library, "-lgraphcap", f"-Wl,-rpath,{library}"], check=True, cwd=tmp_path,
    )  # fmt: skip
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {order}\nbefore = linked.live(); c = graphcap.Context('host'); print(linked.live() - before)"
    assert printed(script) == "1"


def test_a_file_that_is_not_there():
    done = run("import graphcap", GRAPHCAP_LIBRARY="/no/such/file.so")
    assert "ImportError: graphcap cannot load /no/such/file.so (GRAPHCAP_LIBRARY)" in done.stderr


def test_a_library_that_is_another(tmp_path):
    other = "libm.so.6"
    done = run("import graphcap", GRAPHCAP_LIBRARY=other)
    assert "is no libgraphcap.so.0: it has no gc_version()" in done.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize(("version", "told"), [(50, "0.1.0 or newer is needed"), (100, "it has no gc_version_string()"), (99999, "it has no ")])
def test_a_version_that_does_not_do(tmp_path, version, told):
    (tmp_path / "old.c").write_text(f"unsigned gc_version(void) {{ return {version}; }}", encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "old.c", "-o", "old.so"], check=True, cwd=tmp_path)
    done = run("import graphcap", GRAPHCAP_LIBRARY=str(tmp_path / "old.so"))
    assert told in done.stderr
    assert "GRAPHCAP_LIBRARY" in done.stderr


def test_what_the_package_brings():
    include = pathlib.Path(graphcap.get_include())
    for name in ("graphcap.h", "graphcap.hpp", "graphcap/stream.hpp", "graphcap_allocators.h", "graphcap_ffi.h", "graphcap-api.json"):
        assert (include / name).is_file()
    for name in ("cmake/graphcap/graphcapConfig.cmake", "pkgconfig/graphcap.pc", "libgraphcap.so"):
        assert (LIBRARY.parent / name).is_file()


def test_the_licences_that_a_wheel_brings():
    try:
        files = importlib.metadata.files("pygraphcap") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package was not installed from a wheel")
    licences = {path.name for path in files if "licences" in str(path)}
    assert licences == {"LICENSE-MIT", "LICENSE-APACHE", "LICENSES-THIRD-PARTY.txt"}


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("pkg-config") is None, reason="there is no C compiler or no pkg-config")
def test_a_c_program_finds_the_library_by_pkg_config(tmp_path):
    (tmp_path / "program.c").write_text(
        '#include <graphcap.h>\n#include <stdio.h>\nint main(void) { puts(gc_version_string()); }\n', encoding="utf-8"
    )
    environment = os.environ | {"PKG_CONFIG_PATH": str(LIBRARY.parent / "pkgconfig")}
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "graphcap"], capture_output=True, text=True, check=True, env=environment).stdout
    subprocess.run(["cc", "program.c", "-o", "program", *flags.split(), f"-Wl,-rpath,{LIBRARY.parent}"], check=True, cwd=tmp_path)
    assert subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout.strip() == "0.1.0"


@pytest.mark.skipif(shutil.which("cmake") is None or shutil.which("cc") is None, reason="there is no CMake")
def test_a_cmake_project_finds_the_library(tmp_path):
    (tmp_path / "program.c").write_text("#include <graphcap.h>\nint main(void) { return gc_version() != 100; }\n", encoding="utf-8")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(consumer C)\nfind_package(graphcap 0.1 CONFIG REQUIRED)\n"
        "add_executable(program program.c)\ntarget_link_libraries(program PRIVATE graphcap::graphcap)\n",
        encoding="utf-8",
    )
    prefix = LIBRARY.parent.parent
    subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", tmp_path / "build"], check=True, capture_output=True)
    subprocess.run([tmp_path / "build" / "program"], check=True)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="interpreters with a GIL of their own came with 3.12")
def test_another_interpreter_is_refused():
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    script = (
        f"import {name} as interpreters\n"
        "made = interpreters.create()\n"
        "print(interpreters.run_string(made, 'try:\\n import graphcap\\nexcept ImportError as failed:\\n print(failed)'))\n"
    )
    assert "graphcap works in the main interpreter of a process only" in printed(script)
