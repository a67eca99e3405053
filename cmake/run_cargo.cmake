# Runs cargo so that what it compiles does not name the folders of this machine. GraphcapLibrary.cmake calls this in every build:
#   cmake -D CARGO=<cargo> -D SOURCE_DIR=<source tree> -D TARGET_DIR=<cargo's target folder> -D NAME=<name and version>
#         -P run_cargo.cmake -- <arguments of cargo>
# A path in a panic message or in debug information begins with /NAME, or with /rustc/COMMIT for Rust's standard library. The
# folders in /NAME that stand for others begin with a dot.

cmake_minimum_required(VERSION 3.25)

set(arguments "")
set(after_dashes FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(at RANGE ${last})
  if(after_dashes)
    list(APPEND arguments "${CMAKE_ARGV${at}}")
  elseif(CMAKE_ARGV${at} STREQUAL "--")
    set(after_dashes TRUE)
  endif()
endforeach()

# CARGO_BUILD_TARGET would move the libraries to a folder of another name.
unset(ENV{CARGO_BUILD_TARGET})

# Adds the mapping of a folder to `flags`, by the name that it was given and by the one that symbolic links lead to. A mapping
# displaces those before it. The root folder is not mapped: every path begins with it.
function(map_folder folder name)
  if(folder STREQUAL "")
    return()
  endif()
  file(REAL_PATH "${folder}" real)
  foreach(from IN ITEMS "${folder}" "${real}")
    string(REGEX REPLACE "/+$" "" from "${from}")
    if(NOT from STREQUAL "" AND NOT "--remap-path-prefix=${from}=${name}" IN_LIST flags)
      list(APPEND flags "--remap-path-prefix=${from}=${name}")
    endif()
  endforeach()
  set(flags "${flags}" PARENT_SCOPE)
endfunction()

# The sources of the standard library, which inlined code names where rustup has installed them. Their name without
# rust-src is /rustc/<commit>.
set(rustc "$ENV{RUSTC}")
if(rustc STREQUAL "")
  set(rustc "rustc")
endif()
get_filename_component(cargo_dir "${CARGO}" DIRECTORY)
set(ENV{PATH} "$ENV{PATH}:${cargo_dir}")
# Without make's variables: rustc would complain of make's jobs, which are not open to it.
set(quiet_rustc "${CMAKE_COMMAND}" -E env --unset=MAKEFLAGS --unset=MFLAGS "${rustc}")
execute_process(
  COMMAND ${quiet_rustc} --print sysroot WORKING_DIRECTORY "${SOURCE_DIR}"
  OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
  COMMAND ${quiet_rustc} --version --verbose WORKING_DIRECTORY "${SOURCE_DIR}"
  OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCH "commit-hash: ([0-9a-f]+)" commit "${version}")
set(commit "${CMAKE_MATCH_1}")
if(commit STREQUAL "")
  set(commit "unknown")
endif()

set(cargo_home "$ENV{CARGO_HOME}")
if(cargo_home STREQUAL "")
  set(cargo_home "$ENV{HOME}/.cargo")
endif()

set(flags "")
map_folder("$ENV{HOME}" "/${NAME}/.home")
map_folder("${cargo_home}" "/${NAME}/.cargo")
map_folder("${sysroot}/lib/rustlib/src/rust" "/rustc/${commit}")
map_folder("${SOURCE_DIR}" "/${NAME}")
map_folder("${TARGET_DIR}" "/${NAME}/.target")

# Cargo takes flags from one of these places, the first that has any; so ours join those of the user.
string(ASCII 31 separator)
if(DEFINED ENV{CARGO_ENCODED_RUSTFLAGS})
  list(JOIN flags "${separator}" encoded)
  if(NOT "$ENV{CARGO_ENCODED_RUSTFLAGS}" STREQUAL "")
    set(encoded "$ENV{CARGO_ENCODED_RUSTFLAGS}${separator}${encoded}")
  endif()
  set(ENV{CARGO_ENCODED_RUSTFLAGS} "${encoded}")
elseif("$ENV{RUSTFLAGS}" MATCHES "[^ ]")
  string(STRIP "$ENV{RUSTFLAGS}" encoded)
  string(REGEX REPLACE " +" "${separator}" encoded "${encoded}")
  list(JOIN flags "${separator}" added)
  set(ENV{CARGO_ENCODED_RUSTFLAGS} "${encoded}${separator}${added}")
else()
  # Arrays of the command line are joined with those of cargo's configuration files.
  list(TRANSFORM flags REPLACE "([\\\\\"])" "\\\\\\1")
  list(JOIN flags "\",\"" joined)
  list(APPEND arguments --config "build.rustflags=[\"${joined}\"]")
endif()

execute_process(COMMAND "${CARGO}" ${arguments} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "cargo failed (${result}); its messages are above")
endif()
