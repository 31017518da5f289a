# SPDX-License-Identifier: Apache-2.0
#
# What firmware needs of newlib, from Debian's newlib-source, built by the same clang as the firmware.
# It lands in RIVULET_CACHE_DIR under a name that says how it was built, and stays there.

# Searched again if the file found by an earlier configuration is gone, for example after an upgrade.
if(NOT EXISTS "${RIVULET_NEWLIB_SOURCE}")
    file(GLOB newlib_sources /usr/src/newlib/newlib-*.tar.xz)
    list(SORT newlib_sources COMPARE NATURAL ORDER DESCENDING)
    list(APPEND newlib_sources /usr/src/newlib/newlib.tar.xz)
    list(GET newlib_sources 0 newlib_source)
    set(RIVULET_NEWLIB_SOURCE ${newlib_source} CACHE FILEPATH
        "newlib's source (Debian: newlib-source)" FORCE)
endif()

# rivulet_newlib(XLEN): a target newlib-rvXLEN; NEWLIB_rvXLEN is where include/ and lib/ are.
function(rivulet_newlib xlen)
    if(NOT EXISTS ${RIVULET_NEWLIB_SOURCE})
        message(FATAL_ERROR "${RIVULET_NEWLIB_SOURCE} is missing: apt-get install newlib-source, "
                            "or set RIVULET_NEWLIB_SOURCE")
    endif()
    set(name newlib-rv${xlen})
    set(flags ${RIVULET_FIRMWARE_TARGET_rv${xlen}} -Os -ffunction-sections -fdata-sections)
    list(JOIN flags " " flags)
    file(SHA256 ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build.sh script_hash)
    string(SHA256 key "${flags} ${RIVULET_NEWLIB_SOURCE} ${RIVULET_CLANG} ${script_hash}")
    string(SUBSTRING ${key} 0 16 key)
    set(prefix ${RIVULET_CACHE_DIR}/${name}-${key})
    # A kept newlib has no rule: Ninja in a fresh build folder would not know it and rebuild it.
    if(NOT EXISTS ${prefix}/stamp AND NOT TARGET ${name})
        add_custom_command(
            OUTPUT ${prefix}/stamp
            COMMAND ${CMAKE_COMMAND} -E env
                    "CLANG=${RIVULET_CLANG}" "TOOLS=${RIVULET_LLVM_TOOLS}"
                    "TARGET=riscv${xlen}-unknown-elf" "FLAGS=${flags}"
                    sh ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/build.sh ${RIVULET_NEWLIB_SOURCE} ${prefix}
            COMMENT "newlib for rv${xlen} (once; kept in ${prefix})"
            VERBATIM)
    endif()
    if(NOT TARGET ${name})
        add_custom_target(${name} DEPENDS ${prefix}/stamp)
    endif()
    set(NEWLIB_rv${xlen} ${prefix}/riscv${xlen}-unknown-elf PARENT_SCOPE)
    set(NEWLIB_STAMP_rv${xlen} ${prefix}/stamp PARENT_SCOPE)
endfunction()
