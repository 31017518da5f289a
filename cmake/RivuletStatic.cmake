# SPDX-License-Identifier: Apache-2.0
# librivulet.a, for hosts that load nothing at run time: the library and chosen drivers as one object
# file, of whose symbols only OpenCL's are global.

set(RIVULET_STATIC_DRIVERS qemu loopback CACHE STRING
    "Drivers in librivulet.a: names of hal/drivers, or NAME=SOURCE for one of your own in one file")
find_program(RIVULET_STATIC_OBJCOPY NAMES llvm-objcopy-22 llvm-objcopy HINTS ${RIVULET_LLVM_TOOLS} REQUIRED)

set(objects $<TARGET_OBJECTS:rivulet_runtime> $<TARGET_OBJECTS:rivulet_base>
    $<TARGET_OBJECTS:rivulet_hal_base>
    "$<FILTER:$<TARGET_OBJECTS:rivulet_hal>,EXCLUDE,core/drivers\\.cpp>")
set(finders)
foreach(driver IN LISTS RIVULET_STATIC_DRIVERS)
    string(REGEX MATCH "^([^=]+)=?(.*)$" matched ${driver})
    set(name ${CMAKE_MATCH_1})
    set(sources ${CMAKE_MATCH_2})
    if(NOT sources)
        if(NOT TARGET rivulet_driver_${name})
            message(FATAL_ERROR "RIVULET_STATIC_DRIVERS: hal/drivers has no ${name}")
        endif()
        get_target_property(sources rivulet_driver_${name} SOURCES)
        list(TRANSFORM sources PREPEND ${CMAKE_SOURCE_DIR}/hal/)
    endif()
    add_library(rivulet_static_${name} OBJECT ${sources})
    rivulet_target(rivulet_static_${name})
    target_compile_definitions(rivulet_static_${name} PRIVATE _GNU_SOURCE
                               rvl_driver_named=rvl_driver_named_${name})
    list(APPEND objects $<TARGET_OBJECTS:rivulet_static_${name}>)
    string(APPEND finders "FIND(${name})")
    if(name STREQUAL "loopback")
        list(APPEND objects $<TARGET_OBJECTS:rivulet_firmware_host>)
    elseif(name STREQUAL "qemu")
        list(APPEND objects $<TARGET_OBJECTS:rivulet_qemu>)
    endif()
endforeach()

add_library(rivulet_static_drivers OBJECT ${CMAKE_SOURCE_DIR}/hal/core/built_in_drivers.cpp)
rivulet_target(rivulet_static_drivers)
target_compile_definitions(rivulet_static_drivers PRIVATE _GNU_SOURCE
                           "RIVULET_BUILT_IN_DRIVERS=${finders}")
list(APPEND objects $<TARGET_OBJECTS:rivulet_static_drivers>)

set(whole ${CMAKE_BINARY_DIR}/lib/rivulet.o)
set(archive ${CMAKE_BINARY_DIR}/lib/librivulet.a)
set(target_option)
if(CMAKE_CROSSCOMPILING)
    set(target_option --target=${CMAKE_CXX_COMPILER_TARGET})
endif()
add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_CXX_COMPILER} ${target_option} -r -nostdlib -fuse-ld=lld -o ${whole} ${objects}
    COMMAND ${RIVULET_STATIC_OBJCOPY} --localize-hidden --remove-section=.llvm.lto --strip-debug ${whole}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} rcs ${archive} ${whole}
    DEPENDS ${objects}
    COMMENT "librivulet.a with the drivers: ${RIVULET_STATIC_DRIVERS}"
    COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(rivulet_static_archive ALL DEPENDS ${archive})
add_library(rivulet_static STATIC IMPORTED GLOBAL)
set_target_properties(rivulet_static PROPERTIES IMPORTED_LOCATION ${archive}
                      INTERFACE_LINK_LIBRARIES "stdc++;m;Threads::Threads;${CMAKE_DL_LIBS}")
add_dependencies(rivulet_static rivulet_static_archive)
rivulet_product(rivulet_static_archive)
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
