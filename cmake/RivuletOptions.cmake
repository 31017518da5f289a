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

# rivulet_precompile(TARGET): precompiles headers of C++'s library that most files include. Parsing them
# is most of what it takes to compile a file. Each file includes what it uses nevertheless: copies with
# sanitizers are compiled without. Files with another optimisation need SKIP_PRECOMPILE_HEADERS.
function(rivulet_precompile name)
    if(CMAKE_DISABLE_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        return()
    endif()
    # The same headers give the same file, so that a compiler cache knows its users again.
    target_compile_options(${name} PRIVATE
                           "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <atomic> <chrono>
        <condition_variable> <cstring> <expected> <filesystem> <fstream> <functional> <map> <memory>
        <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <variant>
        <vector>)
endfunction()

# rivulet_product(TARGET…): the target `product` builds these, which is what users install, and
# leaves out tests and benchmarks.
add_custom_target(product)
function(rivulet_product)
    add_dependencies(product ${ARGN})
endfunction()
