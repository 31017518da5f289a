# SPDX-License-Identifier: Apache-2.0
# GoogleTest: the system's libraries, or, for another kind of machine, Debian's copy of its source.

include(GoogleTest)
if(NOT CMAKE_CROSSCOMPILING)
    find_package(GTest REQUIRED)
    return()
endif()
set(RIVULET_GTEST_SOURCE /usr/src/googletest CACHE PATH "GoogleTest's source (Debian: googletest)")
if(NOT EXISTS ${RIVULET_GTEST_SOURCE}/CMakeLists.txt)
    message(FATAL_ERROR "tests for another kind of machine need GoogleTest's source: apt-get install "
                        "googletest, or set RIVULET_GTEST_SOURCE, or BUILD_TESTING=OFF and "
                        "RIVULET_HAL_TEST=OFF")
endif()
set(INSTALL_GTEST OFF)
add_subdirectory(${RIVULET_GTEST_SOURCE} ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
foreach(library gtest gtest_main gmock gmock_main)
    if(NOT TARGET GTest::${library})
        add_library(GTest::${library} ALIAS ${library})
    endif()
endforeach()
