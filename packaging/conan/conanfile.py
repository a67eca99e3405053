"""Conan's recipe of graphcap: `conan create packaging/conan` builds the library by cargo, from the sources around this folder."""

import pathlib
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Graphcap(ConanFile):
    name = "graphcap"
    description = "Captures GPU work from streams into graphs, keeps alive what they need and replays them"
    license = "MIT OR Apache-2.0"
    topics = ("cuda", "graph", "capture", "gpu")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def _sources(self):
        return pathlib.Path(self.recipe_folder).parent.parent

    def set_version(self):
        self.version = re.search(r'^version = "(.*)"', (self._sources() / "Cargo.toml").read_text(), re.MULTILINE).group(1)

    def configure(self):
        # The library has a C interface.
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("graphcap runs on Linux")

    def export_sources(self):
        for pattern in (
            "CMakeLists.txt", "Cargo.*", "*.md", "LICENSE-*", "build.rs", "clippy.toml", "cmake/*", "crates/*", "docs/*", "examples/*",
            "header/*", "include/*", "src/*", "packaging/suppressions/*", "bench/actor_latency.rs", "c_tests/left_out/*",
        ):
            copy(self, pattern, self._sources(), self.export_sources_folder, excludes=("*/__pycache__/*", "target/*", "build/*"))

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "BENCH"):
            toolchain.cache_variables[f"GRAPHCAP_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        unwanted = "libgraphcap.a" if self.options.shared else "libgraphcap.so*"
        for file in pathlib.Path(self.package_folder).rglob(unwanted):
            file.unlink()
        copy(self, "LICENSE-*", self.source_folder, str(pathlib.Path(self.package_folder) / "licenses"))

    def package_info(self):
        # graphcap brings its own CMake package and pkg-config files; these are for Conan's other generators.
        self.cpp_info.set_property("cmake_file_name", "graphcap")
        self.cpp_info.set_property("cmake_target_name", "graphcap::graphcap")
        self.cpp_info.set_property("cmake_target_aliases", ["graphcap::shared" if self.options.shared else "graphcap::static"])
        self.cpp_info.set_property("pkg_config_name", "graphcap")
        self.cpp_info.libs = ["graphcap"]
        if not self.options.shared:
            self.cpp_info.system_libs = ["util", "rt", "pthread", "m", "dl", "c"]
