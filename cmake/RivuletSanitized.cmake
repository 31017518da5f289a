# SPDX-License-Identifier: Apache-2.0
# Second copies of targets, built from the same sources with sanitizers, in addition to the usual ones.

set(RIVULET_SANITIZERS_asan -fsanitize=address,undefined -fno-sanitize-recover=all)
set(RIVULET_SANITIZERS_tsan -fsanitize=thread)
# Targets that libFuzzer watches are built as asan, with coverage.
set(RIVULET_SANITIZERS_fuzz -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all)

# Flags for targets built with sanitizers. Assertions and lock ranks are checked.
function(rivulet_sanitize target kind)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
    # base/build_version.cpp or host-runtime/program/transfer.cpp may be in it.
    add_dependencies(${target} rivulet_build_version rivulet_transfer_code)
    target_compile_options(${target} PRIVATE -O1 -g1 -UNDEBUG -fno-omit-frame-pointer
                           ${RIVULET_SANITIZERS_${kind}})
    target_link_options(${target} PRIVATE ${RIVULET_SANITIZERS_${kind}})
endfunction()

# Defines in this folder, too, what TARGET's folder defines for single sources.
function(rivulet_define_as target)
    foreach(source ${ARGN})
        get_source_file_property(definitions ${source} TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
        if(definitions)
            set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS "${definitions}"
                                        SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
endfunction()

# rivulet_sanitized_copies(KIND TARGET…): TARGET-KIND for each, which links to the copies of what
# TARGET links to; those come first in the list.
function(rivulet_sanitized_copies kind)
    foreach(target ${ARGN})
        get_target_property(type ${target} TYPE)
        get_target_property(folder ${target} SOURCE_DIR)
        get_target_property(names ${target} SOURCES)
        set(sources)
        foreach(name ${names})
            cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY ${folder} NORMALIZE)
            list(APPEND sources ${name})
        endforeach()
        rivulet_define_as(${target} ${sources})
        string(REPLACE "_LIBRARY" "" type ${type})
        set(copy ${target}-${kind})
        if(type STREQUAL EXECUTABLE)
            add_executable(${copy} ${sources})
        else()
            add_library(${copy} ${type} ${sources})
        endif()
        rivulet_sanitize(${copy} ${kind})
        foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS LINK_LIBRARIES PREFIX OUTPUT_NAME
                         INTERFACE_LINK_LIBRARIES)
            get_target_property(values ${target} ${property})
            if(values STREQUAL "values-NOTFOUND")
                continue()
            endif()
            set(changed)
            foreach(value ${values})
                if(property MATCHES LINK_LIBRARIES AND TARGET ${value}-${kind})
                    set(value ${value}-${kind})
                endif()
                list(APPEND changed "${value}")
            endforeach()
            set_property(TARGET ${copy} APPEND PROPERTY ${property} ${changed})
        endforeach()
    endforeach()
endfunction()
