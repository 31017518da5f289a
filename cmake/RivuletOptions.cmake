# SPDX-License-Identifier: Apache-2.0
# What every target of ours is built with.

set(RIVULET_CACHE_DIR ${CMAKE_SOURCE_DIR}/build/cache CACHE PATH
    "Where what is built once (newlib) is kept over `clean`")

find_program(RIVULET_CLANG clang-22 REQUIRED)

# Warnings and the include root (#include "hal/hal.h") for a target of ours.
function(rivulet_target name)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wconversion -Wno-sign-conversion)
endfunction()
