# SPDX-License-Identifier: Apache-2.0
# Other projects build against these and the library: headers of the driver interface, the firmware's
# sources and what makes boards of device trees, examples, find_package(Rivulet), pkg-config files.
include(CMakePackageConfigHelpers)

foreach(folder base hal/core hal/drivers hal/protocol)
    file(GLOB headers ${CMAKE_SOURCE_DIR}/${folder}/*.h ${CMAKE_SOURCE_DIR}/${folder}/*.def)
    install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet/${folder})
endforeach()
install(FILES hal/hal.h hal/device.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet/hal)
install(TARGETS rivulet_driver_support ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# The same tree as here, whose CMake functions find each other.
set(sources share/rivulet)
install(DIRECTORY boards DESTINATION ${sources} PATTERN tests EXCLUDE
        PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY device-firmware DESTINATION ${sources} PATTERN tests EXCLUDE
        PATTERN host EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
install(FILES ${RIVULET_BUILD_VERSION}.txt DESTINATION ${sources}/device-firmware)
install(DIRECTORY hal/protocol hal/isa DESTINATION ${sources}/hal PATTERN *_test.cpp EXCLUDE)
# The module's source, which is built against the kernel of the product.
install(DIRECTORY hal/drivers/linux/kernel/ DESTINATION ${sources}/kernel)
install(FILES hal/drivers/null/null.c DESTINATION ${sources}/examples/driver)
install(FILES examples/vecadd/vecadd.c DESTINATION ${sources}/examples/vecadd)

install(FILES cmake/package/RivuletConfig.cmake DESTINATION lib/cmake/Rivulet)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/RivuletConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/RivuletConfigVersion.cmake DESTINATION lib/cmake/Rivulet)
foreach(name rivulet rivulet-hal)
    configure_file(cmake/package/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION share/pkgconfig)
endforeach()
