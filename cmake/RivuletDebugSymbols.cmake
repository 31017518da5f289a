# SPDX-License-Identifier: Apache-2.0
# Release libraries are small and can be debugged: symbols are in NAME.debug next to the library,
# where gdb finds them by the .gnu_debuglink, and are installed as the component `debug`.
find_program(RIVULET_HOST_OBJCOPY NAMES llvm-objcopy-22 llvm-objcopy objcopy
             HINTS ${RIVULET_LLVM_TOOLS} REQUIRED)
find_program(RIVULET_HOST_SIZE NAMES llvm-size-22 llvm-size size
             HINTS ${RIVULET_LLVM_TOOLS} REQUIRED)
find_program(RIVULET_HOST_READELF NAMES llvm-readelf-22 llvm-readelf readelf
             HINTS ${RIVULET_LLVM_TOOLS} REQUIRED)

# rivulet_split_debug_symbols(TARGET): in configurations with both optimisation and symbols.
function(rivulet_split_debug_symbols target)
    if(NOT CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
        return()
    endif()
    set(library "$<TARGET_FILE:${target}>")
    get_target_property(version ${target} SOVERSION)
    add_custom_command(TARGET ${target} POST_BUILD
        COMMAND ${RIVULET_HOST_OBJCOPY} --only-keep-debug ${library} ${library}.debug
        COMMAND ${RIVULET_HOST_OBJCOPY} --strip-debug ${library}
        COMMAND ${RIVULET_HOST_OBJCOPY} --add-gnu-debuglink=${library}.debug ${library}
        BYPRODUCTS "${CMAKE_BINARY_DIR}/lib/lib${target}.so.${version}.debug"
        COMMENT "Debug symbols of ${target}" VERBATIM)
    install(FILES "${library}.debug" DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT debug)
endfunction()
