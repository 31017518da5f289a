# SPDX-License-Identifier: Apache-2.0
# cmake -DSIZE=llvm-size -DFILE=ELF -DLIMIT=bytes -P check_size.cmake: warns if text and data exceed
# a limit by more than 5 %. A build doesn't fail: what has to fit into a memory is the linker
# script's business, and code that is faster may be worth its size.
execute_process(COMMAND ${SIZE} ${FILE} OUTPUT_VARIABLE output RESULT_VARIABLE failed)
if(failed OR NOT output MATCHES "\n *([0-9]+)[ \t]+([0-9]+)")
    message(FATAL_ERROR "${SIZE} does not understand ${FILE}")
endif()
math(EXPR bytes "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
message(STATUS "${FILE}: text and data are ${bytes} bytes of ${LIMIT}")
math(EXPR most "${LIMIT} + ${LIMIT} / 20")
if(bytes GREATER most)
    message(WARNING "${FILE} is too large: find out what has grown, or raise its limit")
endif()
