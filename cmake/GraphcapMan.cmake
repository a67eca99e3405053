# Writes the manual pages of section 3 from graphcap-api.json, and installs them. Python does it; without one the installation has none.

find_package(Python3 3.10 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "graphcap: no manual pages are installed, because Python 3.10 was not found")
  return()
endif()

set(graphcap_man_dir "${PROJECT_BINARY_DIR}/package/man")
set_property(
  DIRECTORY APPEND
  PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/graphcap-api.json" "${PROJECT_SOURCE_DIR}/docs/site/man.py"
           "${PROJECT_SOURCE_DIR}/docs/site/reference.py"
)
file(REMOVE_RECURSE "${graphcap_man_dir}")
execute_process(
  COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/docs/site/man.py" "${graphcap_man_dir}" COMMAND_ERROR_IS_FATAL ANY
)
install(DIRECTORY "${graphcap_man_dir}/man3" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT graphcap_development)
