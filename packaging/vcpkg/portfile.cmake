# NOT TESTED. An overlay port: it builds the sources that it lies in, by cargo, which has to be installed.
# vcpkg install graphcap --overlay-ports=packaging/vcpkg

set(SOURCE_PATH "${CURRENT_PORT_DIR}/../..")

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DGRAPHCAP_BUILD_TESTS=OFF
    -DGRAPHCAP_BUILD_EXAMPLES=OFF
    -DGRAPHCAP_BUILD_BENCH=OFF
    "-DGRAPHCAP_CARGO_TARGET_DIR=${CURRENT_BUILDTREES_DIR}/cargo"
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/graphcap)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES graphcap AUTO_CLEAN)

# Both libraries are installed; vcpkg wants those of one kind.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  file(GLOB unwanted "${CURRENT_PACKAGES_DIR}/lib/*.so*" "${CURRENT_PACKAGES_DIR}/debug/lib/*.so*")
else()
  file(GLOB unwanted "${CURRENT_PACKAGES_DIR}/lib/*.a" "${CURRENT_PACKAGES_DIR}/debug/lib/*.a")
endif()
file(REMOVE ${unwanted})
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
