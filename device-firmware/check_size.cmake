# SPDX-License-Identifier: Apache-2.0
# cmake -DSIZE=llvm-size -DFILE=ELF -DLIMIT=bytes -P check_size.cmake: checks that text and data
# stay below a limit.
execute_process(COMMAND ${SIZE} ${FILE} OUTPUT_VARIABLE output RESULT_VARIABLE failed)
if(failed OR NOT output MATCHES "\n *([0-9]+)[ \t]+([0-9]+)")
    message(FATAL_ERROR "${SIZE} does not understand ${FILE}")
endif()
math(EXPR bytes "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
message(STATUS "${FILE}: text and data are ${bytes} bytes of ${LIMIT}")
if(bytes GREATER_EQUAL LIMIT)
    message(FATAL_ERROR "it is too large")
endif()
