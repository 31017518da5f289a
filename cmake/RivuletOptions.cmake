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

option(RIVULET_UNITY "compile a few files of a folder at once, which takes a third less" OFF)

# rivulet_unity(TARGET): with RIVULET_UNITY, compiles the sources of TARGET a few at a time, those
# of a unit from one folder, so that a new file changes no unit of another. Headers are parsed, and
# their templates instantiated, once for a unit; five files do for most of what that saves. It is
# for builds from nothing, ./dev demo and ./dev build: a tree with tests compiles each file by
# itself, which shows that each includes what it uses, and takes less after a change. checks.unity
# sees to it that the names of one file mean nothing to the others. Sources with options or
# definitions of their own, or without the precompiled headers, stay alone. Call it after the last
# source was added.
function(rivulet_unity name)
    if(NOT RIVULET_UNITY)
        return()
    endif()
    set(files_of_a_unit 5)
    get_target_property(sources ${name} SOURCES)
    get_target_property(folder ${name} SOURCE_DIR)
    set(folders)
    foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
        get_source_file_property(alone ${source} TARGET_DIRECTORY ${name} SKIP_PRECOMPILE_HEADERS)
        if(alone)
            set_source_files_properties(${source} TARGET_DIRECTORY ${name} PROPERTIES
                                        SKIP_UNITY_BUILD_INCLUSION ON)
            continue()
        endif()
        cmake_path(GET source PARENT_PATH parent)
        cmake_path(RELATIVE_PATH parent BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
        string(MAKE_C_IDENTIFIER ${parent} group)
        list(APPEND files_${group} ${source})
        list(APPEND folders ${group})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(group IN LISTS folders)
        list(SORT files_${group})
        list(LENGTH files_${group} count)
        math(EXPR units "(${count} + ${files_of_a_unit} - 1) / ${files_of_a_unit}")
        set(position 0)
        foreach(source IN LISTS files_${group})
            math(EXPR unit "${position} * ${units} / ${count}")
            math(EXPR position "${position} + 1")
            set_property(SOURCE ${source} TARGET_DIRECTORY ${name}
                         PROPERTY UNITY_GROUP ${group}_${unit})
        endforeach()
    endforeach()
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# rivulet_product(TARGET…): the target `product` builds these, which is what users install, and
# leaves out tests and benchmarks.
add_custom_target(product)
function(rivulet_product)
    add_dependencies(product ${ARGN})
endfunction()
