# SPDX-License-Identifier: Apache-2.0
# The version of this build with its commit, in generated/build_version.txt and .h. Each build looks
# again, and writes the files only if the commit has changed; what includes the header depends on
# target rivulet_build_version.
set(RIVULET_BUILD_VERSION ${CMAKE_BINARY_DIR}/generated/build_version)
add_custom_target(rivulet_build_version ALL
    COMMAND ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DSOURCE=${CMAKE_SOURCE_DIR}
            -DTEXT=${RIVULET_BUILD_VERSION}.txt -DHEADER=${RIVULET_BUILD_VERSION}.h
            -P ${CMAKE_SOURCE_DIR}/cmake/build_version.cmake
    BYPRODUCTS ${RIVULET_BUILD_VERSION}.txt ${RIVULET_BUILD_VERSION}.h
    VERBATIM)
