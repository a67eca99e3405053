# Drives cargo and turns what it leaves into the imported targets graphcap::shared, graphcap::static and graphcap::graphcap,
# and into the libraries that are installed.
# Cargo knows best what is out of date, so it is asked in every build; a call with nothing to do costs some 30 ms.

set(GRAPHCAP_CARGO_PROFILE "release" CACHE STRING "Cargo profile of the library; it does not follow CMAKE_BUILD_TYPE")
set(GRAPHCAP_CARGO_FEATURES "default" CACHE STRING "Features of the library, separated by commas: products, transforms, kit, optimising; default has all")
set(GRAPHCAP_CARGO_TARGET "" CACHE STRING "Rust target triple to build for; empty for the machine's own")
set(GRAPHCAP_CARGO_TARGET_DIR "${PROJECT_BINARY_DIR}/cargo" CACHE PATH "Where cargo builds; may be shared by several build trees")
option(GRAPHCAP_BUILD_STATIC "Build the static library beside the shared one" ON)
option(GRAPHCAP_BUILD_COMMAND "Build the command graphcap, which shows devices, saved graphs and traces" ${PROJECT_IS_TOP_LEVEL})
option(GRAPHCAP_DEBUG_FILE "Install the debug information of the shared library, as a file of its own" OFF)
mark_as_advanced(GRAPHCAP_CARGO_PROFILE GRAPHCAP_CARGO_FEATURES GRAPHCAP_CARGO_TARGET GRAPHCAP_CARGO_TARGET_DIR)

find_program(CARGO_EXECUTABLE cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
if(GRAPHCAP_INSTALL AND NOT GRAPHCAP_BUILD_STATIC)
  message(FATAL_ERROR "graphcap is installed with both libraries: set GRAPHCAP_BUILD_STATIC to ON, or GRAPHCAP_INSTALL to OFF.")
endif()

if(NOT CARGO_EXECUTABLE)
  message(FATAL_ERROR "graphcap is built by cargo, which was not found. Install Rust from https://rustup.rs, or set CARGO_EXECUTABLE.")
endif()

foreach(tool IN ITEMS LINKER OBJCOPY AR)
  if(NOT CMAKE_${tool})
    message(FATAL_ERROR "graphcap needs ld, objcopy and ar, which the package binutils has; CMake found no CMAKE_${tool}.")
  endif()
endforeach()

# What a Rust static library needs of the system, as `rustc --crate-type staticlib --print native-static-libs` states it.
# The test "binary" compares this list with the answer of the compiler in use.
set(GRAPHCAP_STATIC_SYSTEM_LIBS gcc_s util rt pthread m dl c)
# Compilers link GCC's unwinder by themselves: libgcc_s, or its static form in a program that is linked by -static.
set(graphcap_static_link_libs "${GRAPHCAP_STATIC_SYSTEM_LIBS}")
list(REMOVE_ITEM graphcap_static_link_libs gcc_s)

set(graphcap_soversion "${PROJECT_VERSION_MAJOR}")
set(graphcap_soname "libgraphcap.so.${graphcap_soversion}")
set(graphcap_real_name "libgraphcap.so.${PROJECT_VERSION}")
# With debug information, for programs of this build tree; and without, for the installation.
set(GRAPHCAP_STAGE_DIR "${PROJECT_BINARY_DIR}/stage/lib")
set(GRAPHCAP_STRIPPED_DIR "${PROJECT_BINARY_DIR}/stripped/lib")

# One call for both kinds: calls with different crate types evict each other's result and would link anew every time.
# The kinds are named here because an rlib among them, as in Cargo.toml, switches link-time optimisation off.
set(graphcap_crate_types "cdylib")
set(graphcap_static_byproduct "")
if(GRAPHCAP_BUILD_STATIC)
  set(graphcap_static_byproduct "${GRAPHCAP_STAGE_DIR}/libgraphcap.a")
  string(APPEND graphcap_crate_types ",staticlib")
endif()
set(graphcap_cargo_arguments rustc --lib --locked --profile "${GRAPHCAP_CARGO_PROFILE}" --crate-type "${graphcap_crate_types}"
    --no-default-features --manifest-path "${PROJECT_SOURCE_DIR}/Cargo.toml" --target-dir "${GRAPHCAP_CARGO_TARGET_DIR}")
if(NOT GRAPHCAP_CARGO_FEATURES STREQUAL "")
  list(APPEND graphcap_cargo_arguments --features "${GRAPHCAP_CARGO_FEATURES}")
endif()
set(graphcap_artefact_dir "${GRAPHCAP_CARGO_TARGET_DIR}")
if(GRAPHCAP_CARGO_TARGET)
  list(APPEND graphcap_cargo_arguments --target "${GRAPHCAP_CARGO_TARGET}")
  # cargo-zigbuild takes the oldest C library behind the triple, which is not in the folder's name.
  string(REGEX REPLACE "\\.[0-9.]+$" "" graphcap_target_folder "${GRAPHCAP_CARGO_TARGET}")
  string(APPEND graphcap_artefact_dir "/${graphcap_target_folder}")
endif()
if(GRAPHCAP_CARGO_PROFILE STREQUAL "dev")
  string(APPEND graphcap_artefact_dir "/debug")
else()
  string(APPEND graphcap_artefact_dir "/${GRAPHCAP_CARGO_PROFILE}")
endif()

add_custom_target(
  graphcap_cargo ALL
  COMMAND
    "${CMAKE_COMMAND}" -D "CARGO=${CARGO_EXECUTABLE}" -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
    -D "TARGET_DIR=${GRAPHCAP_CARGO_TARGET_DIR}" -D "NAME=${PROJECT_NAME}-${PROJECT_VERSION}"
    -P "${PROJECT_SOURCE_DIR}/cmake/run_cargo.cmake" -- ${graphcap_cargo_arguments}
  COMMAND
    "${CMAKE_COMMAND}" -D "ARTEFACT_DIR=${graphcap_artefact_dir}" -D "STAGE_DIR=${GRAPHCAP_STAGE_DIR}"
    -D "INSTALL_DIR=${GRAPHCAP_STRIPPED_DIR}" -D "REAL_NAME=${graphcap_real_name}"
    -D "SYMBOLS=${PROJECT_SOURCE_DIR}/src/ffi/symbols.txt" -D "DEBUG_FILE=${GRAPHCAP_DEBUG_FILE}" -D "STATIC=${GRAPHCAP_BUILD_STATIC}"
    -D "LINKER=${CMAKE_LINKER}" -D "OBJCOPY=${CMAKE_OBJCOPY}" -D "AR=${CMAKE_AR}"
    -P "${PROJECT_SOURCE_DIR}/cmake/finish_libraries.cmake"
  BYPRODUCTS "${GRAPHCAP_STAGE_DIR}/${graphcap_real_name}" ${graphcap_static_byproduct}
  COMMENT "Building graphcap ${PROJECT_VERSION} by cargo, profile ${GRAPHCAP_CARGO_PROFILE}"
  USES_TERMINAL VERBATIM
)

# The command, from the same crates. Cargo compiles these once for both, since features and flags are the same.
if(GRAPHCAP_BUILD_COMMAND)
  set(graphcap_command "${PROJECT_BINARY_DIR}/stripped/bin/graphcap")
  set(graphcap_command_arguments build --package graphcap-command --bin graphcap --locked --profile "${GRAPHCAP_CARGO_PROFILE}"
      --no-default-features --manifest-path "${PROJECT_SOURCE_DIR}/Cargo.toml" --target-dir "${GRAPHCAP_CARGO_TARGET_DIR}")
  if(NOT GRAPHCAP_CARGO_FEATURES STREQUAL "")
    list(APPEND graphcap_command_arguments --features "${GRAPHCAP_CARGO_FEATURES}")
  endif()
  if(GRAPHCAP_CARGO_TARGET)
    list(APPEND graphcap_command_arguments --target "${GRAPHCAP_CARGO_TARGET}")
  endif()
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/stripped/bin")
  add_custom_target(
    graphcap_command ALL
    COMMAND
      "${CMAKE_COMMAND}" -D "CARGO=${CARGO_EXECUTABLE}" -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}"
      -D "TARGET_DIR=${GRAPHCAP_CARGO_TARGET_DIR}" -D "NAME=${PROJECT_NAME}-${PROJECT_VERSION}"
      -P "${PROJECT_SOURCE_DIR}/cmake/run_cargo.cmake" -- ${graphcap_command_arguments}
    COMMAND "${CMAKE_OBJCOPY}" --strip-all "${graphcap_artefact_dir}/graphcap" "${graphcap_command}"
    BYPRODUCTS "${graphcap_command}"
    COMMENT "Building the command graphcap by cargo, profile ${GRAPHCAP_CARGO_PROFILE}"
    USES_TERMINAL VERBATIM
  )
  # One cargo at a time: another one would wait for the lock of the folder.
  add_dependencies(graphcap_command graphcap_cargo)
endif()

# Cargo makes no links. They never change, so they are made once here, and dangle until the first build.
file(MAKE_DIRECTORY "${GRAPHCAP_STAGE_DIR}")
file(CREATE_LINK "${graphcap_real_name}" "${GRAPHCAP_STAGE_DIR}/${graphcap_soname}" SYMBOLIC)
file(CREATE_LINK "${graphcap_soname}" "${GRAPHCAP_STAGE_DIR}/libgraphcap.so" SYMBOLIC)

add_library(graphcap::shared SHARED IMPORTED GLOBAL)
set_target_properties(
  graphcap::shared PROPERTIES
  IMPORTED_LOCATION "${GRAPHCAP_STAGE_DIR}/${graphcap_real_name}"
  IMPORTED_SONAME "${graphcap_soname}"
  INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include"
)
add_dependencies(graphcap::shared graphcap_cargo)

if(GRAPHCAP_BUILD_STATIC)
  add_library(graphcap::static STATIC IMPORTED GLOBAL)
  set_target_properties(
    graphcap::static PROPERTIES
    IMPORTED_LOCATION "${GRAPHCAP_STAGE_DIR}/libgraphcap.a"
    INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/include"
    INTERFACE_LINK_LIBRARIES "${graphcap_static_link_libs}"
  )
  add_dependencies(graphcap::static graphcap_cargo)
endif()

add_library(graphcap::graphcap ALIAS graphcap::shared)
