# SPDX-License-Identifier: Apache-2.0
# Build options of all our targets.

set(RIVULET_CACHE_DIR ${CMAKE_SOURCE_DIR}/build/cache CACHE PATH
    "Where what is built once (newlib) is kept over `clean`")

find_program(RIVULET_CLANG NAMES clang-22 clang REQUIRED)

# A compiler cache that is there is used; CMAKE_<LANG>_COMPILER_LAUNCHER says otherwise. ccache takes
# files that use a precompiled header only if it may leave macros and times of the header to the hash
# of its content.
find_program(RIVULET_CCACHE ccache)
if(RIVULET_CCACHE)
    foreach(language C CXX)
        if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
            set(CMAKE_${language}_COMPILER_LAUNCHER
                env CCACHE_SLOPPINESS=pch_defines,time_macros ${RIVULET_CCACHE})
        endif()
    endforeach()
endif()

# Warnings and the include root (#include "hal/hal.h") for one of our targets.
function(rivulet_target name)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wconversion -Wno-sign-conversion)
endfunction()

# rivulet_product(TARGET…): the target `product` builds these, which is what users install, and
# leaves out tests and benchmarks.
add_custom_target(product)
function(rivulet_product)
    add_dependencies(product ${ARGN})
endfunction()
