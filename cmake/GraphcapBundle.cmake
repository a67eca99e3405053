# What the bundle has beyond an installed graphcap: its programs, as the install component graphcap_bundle, which a plain
# installation leaves out. They find the library beside them, wherever the bundle is unpacked. scripts/bundle.sh calls this.

add_executable(graphcap-device "${PROJECT_SOURCE_DIR}/scripts/bundle/device.c")
target_link_libraries(graphcap-device PRIVATE graphcap::shared)
target_compile_options(graphcap-device PRIVATE -Wall -Wextra -Werror -pedantic)
set_target_properties(graphcap-device PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)

# Installs each program of the source folder `folder` that is called `pattern` into `destination`, under the part of its
# name that the pattern has in parentheses. `up` leads from there to the root of the bundle.
function(graphcap_bundle_programs folder pattern destination up)
  get_property(targets DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "EXECUTABLE" OR NOT target MATCHES "^${pattern}$")
      continue()
    endif()
    set(name "${CMAKE_MATCH_1}")
    # A C program that is built as C++ as well does the same on every device.
    if(target MATCHES "_cpp17$" AND TARGET ${name}_c11)
      continue()
    endif()
    # The file is copied as it was built, since install(TARGETS) cannot rename; so it is built with the RPATH for there, and with
    # that for where it is tested before.
    get_target_property(built_in ${target} BINARY_DIR)
    file(RELATIVE_PATH to_stage "${built_in}" "${GRAPHCAP_STAGE_DIR}")
    set_target_properties(
      ${target} PROPERTIES
      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/${up}/${CMAKE_INSTALL_LIBDIR};$ORIGIN/${to_stage}"
    )
    install(
      PROGRAMS "$<TARGET_FILE:${target}>" DESTINATION "${destination}" RENAME "${name}"
      COMPONENT graphcap_bundle EXCLUDE_FROM_ALL
    )
  endforeach()
endfunction()

graphcap_bundle_programs(. "(graphcap-device)" bin ..)
graphcap_bundle_programs(bench "(graphcap-bench.*)" bin ..)
graphcap_bundle_programs(examples/c "(.*)" bin ..)
graphcap_bundle_programs(examples/cpp "(.*)" bin ..)
graphcap_bundle_programs(c_tests "(.*)_c11" tests/c11 ../..)
graphcap_bundle_programs(c_tests "(.*)_cpp17" tests/cpp17 ../..)
graphcap_bundle_programs(c_tests/fuzz "(.*)_c11" tests/c11 ../..)

# The tests without a GPU find their drivers beside them.
graphcap_bundle_programs(c_tests/stand_in "(.*)_stand_in" tests/stand_in ../..)
foreach(version IN ITEMS 12.0 13.0)
  string(REPLACE "." "0" number "${version}")
  install(
    FILES "$<TARGET_FILE:stand_in_driver_${number}>" DESTINATION "tests/stand_in/${version}"
    COMPONENT graphcap_bundle EXCLUDE_FROM_ALL
  )
endforeach()
# NVIDIA's libraries lie beside the newest one.
install(
  FILES $<TARGET_FILE:stand_in_cublas> $<TARGET_FILE:stand_in_cufft> $<TARGET_FILE:stand_in_curand> $<TARGET_FILE:stand_in_cupti>
  $<TARGET_FILE:stand_in_nvtx>
  DESTINATION "tests/stand_in/13.0"
  COMPONENT graphcap_bundle EXCLUDE_FROM_ALL
)
