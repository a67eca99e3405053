# Makes C of the PTX of the examples, tests and benchmarks: NAME_ptx.h of NAME.ptx, in the folder GRAPHCAP_PTX_DIR, when the
# project is configured. What is built without a project calls it as a script:
# cmake -D PTX=NAME.ptx -D FOLDER=folder -P cmake/GraphcapPtx.cmake

cmake_minimum_required(VERSION 3.25)

# Writes `folder`/NAME_ptx.h of the file NAME.ptx: an array of bytes, because a string literal of this length is more than
# the C standard promises.
function(graphcap_write_ptx_header ptx folder)
  get_filename_component(name "${ptx}" NAME_WE)
  file(READ "${ptx}" bytes HEX)
  string(REPEAT "[0-9a-f]" 40 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(TOUPPER "${name}_ptx_h" guard)
  set(comment "/* The text of ${name}.ptx, ended by a NUL. */\n#ifndef ${guard}\n#define ${guard}\n\n")
  file(
    CONFIGURE OUTPUT "${folder}/${name}_ptx.h"
    CONTENT "@comment@static const unsigned char @name@_ptx[] = {\n@bytes@0};\n\n#endif\n" @ONLY
  )
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  graphcap_write_ptx_header("${PTX}" "${FOLDER}")
  return()
endif()

set(GRAPHCAP_PTX_DIR "${PROJECT_BINARY_DIR}/ptx")
file(
  GLOB graphcap_ptx CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/examples/*/*.ptx" "${PROJECT_SOURCE_DIR}/c_tests/*/*.ptx" "${PROJECT_SOURCE_DIR}/bench/*/*.ptx"
  # Of the examples as a project of their own.
  "${PROJECT_SOURCE_DIR}/*/*.ptx"
)
foreach(ptx IN LISTS graphcap_ptx)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ptx}")
  graphcap_write_ptx_header("${ptx}" "${GRAPHCAP_PTX_DIR}")
endforeach()
