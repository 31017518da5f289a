# SPDX-License-Identifier: Apache-2.0
# What every target of ours is built with.

set(RIVULET_SANITIZE "" CACHE STRING "Sanitizers for host code: address;undefined or thread")
set(RIVULET_CACHE_DIR ${CMAKE_SOURCE_DIR}/build/cache CACHE PATH
    "Where what is built once (newlib) is kept over `clean`")

find_program(RIVULET_CLANG clang-22 REQUIRED)

# Warnings, sanitizers and the include root (#include "hal/hal.h") for a target of ours.
function(rivulet_target name)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wconversion -Wno-sign-conversion)
    if(RIVULET_SANITIZE)
        string(REPLACE ";" "," sanitizers "${RIVULET_SANITIZE}")
        target_compile_options(${name} PRIVATE -fsanitize=${sanitizers} -fno-omit-frame-pointer
                               -fno-sanitize-recover=all)
        target_link_options(${name} PRIVATE -fsanitize=${sanitizers})
    endif()
endfunction()
