# SPDX-License-Identifier: Apache-2.0
# cmake -DREADELF=llvm-readelf -DFILE=LIBRARY -P check_debug_symbols.cmake: the library has no debug
# information of its own, and names a file next to it that has.
execute_process(COMMAND ${READELF} -SW ${FILE} OUTPUT_VARIABLE library RESULT_VARIABLE failed)
if(failed OR library MATCHES "\\.debug_info")
    message(FATAL_ERROR "${FILE} holds its own debug information")
endif()
if(NOT library MATCHES "\\.gnu_debuglink")
    message(FATAL_ERROR "${FILE} does not say where its debug information is")
endif()
execute_process(COMMAND ${READELF} -SW ${FILE}.debug OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed OR NOT symbols MATCHES "\\.debug_info" OR NOT symbols MATCHES "\\.debug_line")
    message(FATAL_ERROR "${FILE}.debug holds no debug information")
endif()
