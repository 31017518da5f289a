# SPDX-License-Identifier: Apache-2.0
#
# find_package(Rivulet 0.1 [COMPONENTS Firmware])
#
#   Rivulet::OpenCL          the library, with the headers of its own extensions
#   Rivulet::Static          the same as an archive with drivers built in, if it is installed
#   Rivulet::HAL             headers of the driver interface (hal/hal.h) and the protocol
#   Rivulet::DriverSupport   helpers for drivers in C++ (hal/drivers/support.h)
#   Rivulet_VERSION, Rivulet_HAL_VERSION
#   rivulet_add_driver(NAME [NO_INSTALL] SOURCES…)   a driver NAME.so, which is installed where the
#                            library of the same prefix looks for drivers
#   rivulet_add_board(FOLDER [XLEN 64|32 …])   component Firmware: a board and firmware for it, which
#                            needs clang, lld, dtc, libfdt and newlib's source

get_filename_component(Rivulet_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_rivulet_folders "${Rivulet_PREFIX}/lib")
if(CMAKE_LIBRARY_ARCHITECTURE)
    list(PREPEND _rivulet_folders "${Rivulet_PREFIX}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

# The library of this name gives the imported target.
function(_rivulet_import target kind file)
    find_library(Rivulet_${target} NAMES ${file} PATHS ${_rivulet_folders} NO_DEFAULT_PATH NO_CACHE
                 NO_CMAKE_FIND_ROOT_PATH)
    if(Rivulet_${target} AND NOT TARGET Rivulet::${target})
        add_library(Rivulet::${target} ${kind} IMPORTED)
        set_target_properties(Rivulet::${target} PROPERTIES
            IMPORTED_LOCATION "${Rivulet_${target}}"
            INTERFACE_INCLUDE_DIRECTORIES "${Rivulet_PREFIX}/include")
    endif()
endfunction()

include(CMakeFindDependencyMacro)
find_dependency(Threads)
_rivulet_import(OpenCL SHARED librivulet.so)
_rivulet_import(Static STATIC librivulet.a)
_rivulet_import(DriverSupport STATIC librivulet_driver_support.a)
if(TARGET Rivulet::Static)
    set_target_properties(Rivulet::Static PROPERTIES
        INTERFACE_LINK_LIBRARIES "stdc++;m;Threads::Threads;${CMAKE_DL_LIBS}")
endif()
if(NOT TARGET Rivulet::HAL)
    add_library(Rivulet::HAL INTERFACE IMPORTED)
    target_include_directories(Rivulet::HAL INTERFACE "${Rivulet_PREFIX}/include/rivulet")
endif()
if(TARGET Rivulet::DriverSupport)
    target_link_libraries(Rivulet::DriverSupport INTERFACE Rivulet::HAL Threads::Threads)
    target_compile_features(Rivulet::DriverSupport INTERFACE cxx_std_23)
endif()

file(STRINGS "${Rivulet_PREFIX}/include/rivulet/hal/hal.h" Rivulet_HAL_VERSION
     REGEX "^#define RVL_HAL_VERSION ")
string(REGEX REPLACE ".*\\(([0-9]+), *([0-9]+)\\).*" "\\1.\\2" Rivulet_HAL_VERSION
       "${Rivulet_HAL_VERSION}")

function(rivulet_add_driver name)
    cmake_parse_arguments(PARSE_ARGV 1 DRIVER "NO_INSTALL" "" "")
    add_library(${name} MODULE ${DRIVER_UNPARSED_ARGUMENTS})
    set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
                          CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${name} PRIVATE Rivulet::HAL)
    if(DRIVER_NO_INSTALL)
        return()
    endif()
    # lib/rivulet/drivers, or lib/TRIPLE/rivulet/drivers, next to librivulet.so.
    get_target_property(folder Rivulet::OpenCL IMPORTED_LOCATION)
    get_filename_component(prefix "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
    cmake_path(GET folder PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${prefix}")
    install(TARGETS ${name} LIBRARY DESTINATION "${folder}/rivulet/drivers")
endfunction()

set(Rivulet_FOUND TRUE)
if(NOT TARGET Rivulet::OpenCL)
    set(Rivulet_FOUND FALSE)
    set(Rivulet_NOT_FOUND_MESSAGE "librivulet.so is not in ${_rivulet_folders}")
endif()
foreach(_component IN LISTS Rivulet_FIND_COMPONENTS)
    if(_component STREQUAL "Firmware")
        include("${Rivulet_PREFIX}/share/rivulet/boards/rivulet_board.cmake")
        set(Rivulet_Firmware_FOUND TRUE)
    elseif(Rivulet_FIND_REQUIRED_${_component})
        set(Rivulet_FOUND FALSE)
        set(Rivulet_NOT_FOUND_MESSAGE "there is no component ${_component}; there is Firmware")
    endif()
endforeach()
