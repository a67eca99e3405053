# Makes the libraries that are linked and installed of those that cargo leaves. GraphcapLibrary.cmake calls this in every build:
#   cmake -D ARTEFACT_DIR=<where cargo left them> -D STAGE_DIR=<folder> -D INSTALL_DIR=<folder> -D REAL_NAME=<libgraphcap.so.VERSION>
#         -D SYMBOLS=<list of exported functions> -D DEBUG_FILE=<bool> -D STATIC=<bool> -D LINKER=<ld> -D OBJCOPY=<objcopy> -D AR=<ar>
#         -P finish_libraries.cmake
# STAGE_DIR gets the libraries with debug information, INSTALL_DIR those without. Nothing is done when nothing changed.
#
# The static library is one object whose global symbols are the functions of graphcap.h. As rustc leaves it, its parts see each
# other by global symbols, among them those of Rust's standard library, which every other static library of Rust has as well.

cmake_minimum_required(VERSION 3.25)

# Options that begin with -D are strings; DEBUG_FILE and STATIC are read as bools.
set(shared "${ARTEFACT_DIR}/libgraphcap.so")
set(static "${ARTEFACT_DIR}/libgraphcap.a")
set(debug_dir "${INSTALL_DIR}/.debug")
set(debug_file "${debug_dir}/${REAL_NAME}.debug")

set(libraries "${shared}")
if(STATIC)
  list(APPEND libraries "${static}")
endif()
set(state "${REAL_NAME} ${DEBUG_FILE} ${LINKER} ${OBJCOPY} ${AR}\n")
foreach(file IN ITEMS ${libraries} "${SYMBOLS}" "${CMAKE_CURRENT_LIST_FILE}")
  file(SHA256 "${file}" hash)
  string(APPEND state "${hash}\n")
endforeach()
set(state_file "${INSTALL_DIR}/state.txt")
if(EXISTS "${state_file}")
  file(READ "${state_file}" before)
  if(before STREQUAL state)
    return()
  endif()
endif()

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# A build that is interrupted leaves no state, so that the next one begins anew.
file(REMOVE_RECURSE "${INSTALL_DIR}")
file(MAKE_DIRECTORY "${STAGE_DIR}" "${INSTALL_DIR}")

# The shared library.
file(COPY_FILE "${shared}" "${STAGE_DIR}/${REAL_NAME}" ONLY_IF_DIFFERENT)
run("${OBJCOPY}" --strip-all "${shared}" "${INSTALL_DIR}/${REAL_NAME}")
if(DEBUG_FILE)
  file(MAKE_DIRECTORY "${debug_dir}")
  run("${OBJCOPY}" --only-keep-debug "${shared}" "${debug_file}")
  # Debuggers find the file by its name and checksum, in the folder .debug beside the library.
  run("${OBJCOPY}" "--add-gnu-debuglink=${debug_file}" "${INSTALL_DIR}/${REAL_NAME}")
endif()

# The static library. The linker takes from the archive what the exported functions need. Groups are dissolved: their
# members become local, and a linker would throw out one of two groups of the same name, local members included. Without
# link-time optimisation Rust's standard library comes with its bitcode, which is of no use once it is joined, and which an
# ar with LLVM's plugin fails to read.
if(STATIC)
  set(work "${INSTALL_DIR}/work")
  file(MAKE_DIRECTORY "${work}")
  file(STRINGS "${SYMBOLS}" symbols)
  list(TRANSFORM symbols REPLACE "(.+)" "--undefined=\\1\n" OUTPUT_VARIABLE wanted)
  list(JOIN wanted "" wanted)
  file(WRITE "${work}/wanted" "${wanted}")
  run("${LINKER}" -r --force-group-allocation "@${work}/wanted" "${static}" -o "${work}/whole.o")
  run(
    "${OBJCOPY}" --remove-section=.llvmbc --remove-section=.llvmcmd "--keep-global-symbols=${SYMBOLS}"
    "${work}/whole.o" "${work}/graphcap.o"
  )
  run("${AR}" crsD "${work}/libgraphcap.a" "${work}/graphcap.o")
  file(COPY_FILE "${work}/libgraphcap.a" "${STAGE_DIR}/libgraphcap.a" ONLY_IF_DIFFERENT)
  run("${OBJCOPY}" --strip-debug "${work}/graphcap.o")
  run("${AR}" crsD "${INSTALL_DIR}/libgraphcap.a" "${work}/graphcap.o")
  file(REMOVE_RECURSE "${work}")
else()
  # One of an earlier build, of other sources.
  file(REMOVE "${STAGE_DIR}/libgraphcap.a")
endif()

file(WRITE "${state_file}" "${state}")
