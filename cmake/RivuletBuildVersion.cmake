# SPDX-License-Identifier: Apache-2.0
# The version of this build with its commit, in generated/build_version.txt and .h. Each build looks
# again, and writes the files only if the commit has changed; what includes the header depends on
# target rivulet_build_version. Other projects that build boards include this, too.
set(RIVULET_BUILD_VERSION ${CMAKE_BINARY_DIR}/generated/build_version)
if(TARGET rivulet_build_version)
    return()
endif()
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH rivulet_top)
file(STRINGS ${rivulet_top}/CMakeLists.txt rivulet_version REGEX "^project\\(rivulet VERSION ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" rivulet_version "${rivulet_version}")
add_custom_target(rivulet_build_version ALL
    COMMAND ${CMAKE_COMMAND} -DVERSION=${rivulet_version} -DSOURCE=${rivulet_top}
            -DTEXT=${RIVULET_BUILD_VERSION}.txt -DHEADER=${RIVULET_BUILD_VERSION}.h
            -P ${CMAKE_CURRENT_LIST_DIR}/build_version.cmake
    BYPRODUCTS ${RIVULET_BUILD_VERSION}.txt ${RIVULET_BUILD_VERSION}.h
    VERBATIM)
