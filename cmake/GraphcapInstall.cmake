# Installs the libraries with their links, the headers, a CMake package, a pkg-config file, licences and documents.
# The package and the pkg-config file find the rest relative to themselves, so that the prefix can be moved.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(graphcap_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/graphcap")
set(graphcap_pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(
  FILES "${GRAPHCAP_STRIPPED_DIR}/${graphcap_real_name}" "${GRAPHCAP_STAGE_DIR}/${graphcap_soname}"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT graphcap_runtime
)
install(
  FILES "${GRAPHCAP_STAGE_DIR}/libgraphcap.so" "${GRAPHCAP_STRIPPED_DIR}/libgraphcap.a"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT graphcap_development
)
if(GRAPHCAP_BUILD_COMMAND)
  install(PROGRAMS "${graphcap_command}" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT graphcap_tools)
  file(GLOB graphcap_manual CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/man/*.1")
  install(FILES ${graphcap_manual} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT graphcap_tools)
endif()
if(GRAPHCAP_DEBUG_FILE)
  install(
    FILES "${GRAPHCAP_STRIPPED_DIR}/.debug/${graphcap_real_name}.debug"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/.debug" COMPONENT graphcap_debug
  )
endif()
install(
  FILES "${PROJECT_SOURCE_DIR}/include/graphcap.h" "${PROJECT_SOURCE_DIR}/include/graphcap.hpp"
        "${PROJECT_SOURCE_DIR}/include/graphcap_allocators.h" "${PROJECT_SOURCE_DIR}/include/graphcap_ffi.h"
        "${PROJECT_SOURCE_DIR}/include/graphcap-api.json"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT graphcap_development
)
# The parts that graphcap.hpp includes.
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/graphcap"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT graphcap_development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh"
)

set(graphcap_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
set(graphcap_libdir "${CMAKE_INSTALL_LIBDIR}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/graphcapConfig.cmake.in" "${PROJECT_BINARY_DIR}/package/graphcapConfig.cmake"
  INSTALL_DESTINATION "${graphcap_package_dir}"
  PATH_VARS graphcap_includedir graphcap_libdir
)
# The same promise as the SONAME makes: compatible within a major version.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/graphcapConfigVersion.cmake" COMPATIBILITY SameMajorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/package/graphcapConfig.cmake" "${PROJECT_BINARY_DIR}/package/graphcapConfigVersion.cmake"
        "${PROJECT_SOURCE_DIR}/cmake/GraphcapPtx.cmake"
  DESTINATION "${graphcap_package_dir}" COMPONENT graphcap_development
)

# A folder that a packager gives as an absolute path stays absolute; it is not below the prefix.
set(graphcap_pc_prefix "\${pcfiledir}")
set(graphcap_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(graphcap_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(graphcap_pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(graphcap_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH graphcap_pc_up "/${graphcap_pkgconfig_dir}" "/")
  string(REGEX REPLACE "/$" "" graphcap_pc_up "${graphcap_pc_up}")
  string(APPEND graphcap_pc_prefix "/${graphcap_pc_up}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(graphcap_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
list(TRANSFORM graphcap_static_link_libs PREPEND "-l" OUTPUT_VARIABLE graphcap_pc_static_libs)
list(JOIN graphcap_pc_static_libs " " graphcap_pc_static_libs)
foreach(name graphcap graphcap-shared)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/package/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/${name}.pc" DESTINATION "${graphcap_pkgconfig_dir}" COMPONENT graphcap_development)
endforeach()

# What other programs read. Small systems leave out share/doc, so it is not there.
install(
  FILES "${PROJECT_SOURCE_DIR}/docs/graph.schema.json" "${PROJECT_SOURCE_DIR}/docs/findings.schema.json"
        "${PROJECT_SOURCE_DIR}/packaging/suppressions/valgrind.supp"
        "${PROJECT_SOURCE_DIR}/packaging/suppressions/tsan.supp"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/graphcap" COMPONENT graphcap_development
)

# The examples, which are a project of their own there.
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/examples"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT graphcap_development PATTERN "__pycache__" EXCLUDE
)

# The documents, in the same places to each other and to the examples as in the sources. A link to a file of the sources that is not
# installed becomes its text, and one to a header or to the schema of graphs leads to where that is installed.
file(
  GLOB graphcap_documents RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/docs/*/*.md" "${PROJECT_SOURCE_DIR}/docs/*.svg"
  "${PROJECT_SOURCE_DIR}/docs/*.dot" "${PROJECT_SOURCE_DIR}/docs/*/*.svg" "${PROJECT_SOURCE_DIR}/docs/*/*.dot"
)
list(APPEND graphcap_documents README.md CHANGELOG.md SECURITY.md LICENSE-MIT LICENSE-APACHE)

# Writes the page `page` to the file `output` without the links that would be dead.
function(graphcap_write_page page output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${page}")
  get_filename_component(folder "${PROJECT_SOURCE_DIR}/${page}" DIRECTORY)
  file(READ "${PROJECT_SOURCE_DIR}/${page}" rest)
  set(text "")
  while("${rest}" MATCHES "\\[([^]]*)\\]\\(([^)#]*)(#[^)]*)?\\)")
    set(link "${CMAKE_MATCH_0}")
    set(label "${CMAKE_MATCH_1}")
    set(target "${CMAKE_MATCH_2}")
    string(FIND "${rest}" "${link}" at)
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(LENGTH "${link}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${rest}" ${at} -1 rest)
    if(NOT target STREQUAL "" AND EXISTS "${folder}/${target}")
      file(REAL_PATH "${folder}/${target}" real)
      file(RELATIVE_PATH real "${PROJECT_SOURCE_DIR}" "${real}")
      set(moved "")
      if("${real}" MATCHES "^include/(.*)")
        set(moved "${CMAKE_INSTALL_INCLUDEDIR}/${CMAKE_MATCH_1}")
      elseif("${real}" MATCHES "^docs/([^/]*\\.json)$")
        set(moved "${CMAKE_INSTALL_DATADIR}/graphcap/${CMAKE_MATCH_1}")
      endif()
      if(NOT moved STREQUAL "")
        file(RELATIVE_PATH moved "/${CMAKE_INSTALL_DOCDIR}/${page}/.." "/${moved}")
        set(link "[${label}](${moved})")
      elseif(NOT real IN_LIST graphcap_documents AND NOT "${real}" MATCHES "^examples/")
        set(link "${label}")
      endif()
    endif()
    string(APPEND text "${before}${link}")
  endwhile()
  file(CONFIGURE OUTPUT "${output}" CONTENT "@text@@rest@" @ONLY)
endfunction()

foreach(document IN LISTS graphcap_documents)
  set(file "${PROJECT_SOURCE_DIR}/${document}")
  if(document MATCHES "\\.md$")
    set(file "${PROJECT_BINARY_DIR}/package/${document}")
    graphcap_write_page("${document}" "${file}")
  endif()
  get_filename_component(folder "${document}" DIRECTORY)
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT graphcap_development)
endforeach()
