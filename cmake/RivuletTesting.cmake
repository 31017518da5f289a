# SPDX-License-Identifier: Apache-2.0
# RIVULET_TEST_ENVIRONMENT: programs under test see only this build's device, and use no cached
# kernels but the compiler of this build or, in one for another kind of machine, the native one; the
# compiler verifies its code after each pass.

# rivulet_test_target(TARGET): a test program. What it tests is optimised elsewhere: its own code
# isn't, which halves the time that all tests take to build. The folder's tests fail if the filter
# of a GoogleTest program selects nothing, which the program itself takes for success.
function(rivulet_test_target name)
    rivulet_target(${name})
    target_compile_options(${name} PRIVATE -O0)
    rivulet_refuse_empty_runs()
endfunction()

# rivulet_refuse_empty_runs(): the same for the tests of a folder that builds no such program.
function(rivulet_refuse_empty_runs)
    cmake_language(DEFER GET_CALL_IDS calls)
    if(NOT rivulet_empty_runs IN_LIST calls)
        cmake_language(DEFER ID rivulet_empty_runs CALL rivulet_refuse_empty_runs_now)
    endif()
endfunction()

function(rivulet_refuse_empty_runs_now)
    get_property(tests DIRECTORY PROPERTY TESTS)
    if(tests)
        set_property(TEST ${tests} APPEND PROPERTY FAIL_REGULAR_EXPRESSION
                     " 0 tests from 0 test suites")
    endif()
endfunction()

# RIVULET_SHOW_SKIPPED: properties of a Python test that skips everything if a tool is missing. It ends
# with 0 then, but CTest counts it as skipped, not as passed.
set(RIVULET_SHOW_SKIPPED SKIP_REGULAR_EXPRESSION "\nOK \\(skipped=")

include(RivuletGoogleTest)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
# Not the interpreter that CMake finds, which may be another one, without these modules.
set(RIVULET_SYSTEM_PYTHON /usr/bin/python3 CACHE FILEPATH
    "Python with the modules that tests import (Debian: python3-numpy, python3-pyopencl, python3-yaml)")
set(RIVULET_TEST_COMPILER ${CMAKE_BINARY_DIR}/bin/rivulet-cc)
if(CMAKE_CROSSCOMPILING)
    set(RIVULET_TEST_COMPILER ${RIVULET_NATIVE_BUILD}/bin/rivulet-cc)
endif()
set(RIVULET_TEST_ENVIRONMENT
    OCL_ICD_VENDORS=${CMAKE_BINARY_DIR}/etc/OpenCL/vendors
    RIVULET_CACHE=off
    RIVULET_VERIFY=1)
if(CMAKE_CROSSCOMPILING)
    list(APPEND RIVULET_TEST_ENVIRONMENT RIVULET_CC=${RIVULET_TEST_COMPILER})
endif()
