# SPDX-License-Identifier: Apache-2.0
#
# Cross-building without a second CMake: one custom command per source, with the dependency files
# that Ninja reads.

set(RIVULET_LLVM_TOOLS /usr/lib/llvm-22/bin CACHE PATH "LLVM's binutils and ld.lld")
find_program(RIVULET_LLD ld.lld HINTS ${RIVULET_LLVM_TOOLS} REQUIRED NO_DEFAULT_PATH)

# Soft float and no vectors: M mode never touches a kernel's f and v registers.
set(RIVULET_FIRMWARE_TARGET_rv64 --target=riscv64-unknown-elf -march=rv64imac_zicsr_zifencei
    -mabi=lp64 -mcmodel=medany)
set(RIVULET_FIRMWARE_TARGET_rv32 --target=riscv32-unknown-elf -march=rv32imac_zicsr_zifencei
    -mabi=ilp32 -mcmodel=medany)

include(${CMAKE_CURRENT_LIST_DIR}/newlib/newlib.cmake)

# rivulet_firmware(BOARD XLEN SOURCES…): ${CMAKE_BINARY_DIR}/lib/rivulet/firmware/BOARD-rvXLEN.elf
function(rivulet_firmware board xlen)
    set(name firmware-${board}-rv${xlen})
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
    set(output ${CMAKE_BINARY_DIR}/lib/rivulet/firmware/${board}-rv${xlen}.elf)
    set(board_folder ${CMAKE_BINARY_DIR}/boards/${board})
    file(MAKE_DIRECTORY ${folder} ${CMAKE_BINARY_DIR}/lib/rivulet/firmware)
    set(flags ${RIVULET_FIRMWARE_TARGET_rv${xlen}} -std=c11 -Os -g -ffreestanding -fno-builtin-printf
        -ffunction-sections -fdata-sections -fno-pic -fno-common
        "-ffile-prefix-map=${CMAKE_SOURCE_DIR}=." -Wall -Wextra -Wconversion -Wno-sign-conversion
        -nostdlibinc -isystem ${NEWLIB_rv${xlen}}/include -I${CMAKE_SOURCE_DIR}
        -I${CMAKE_CURRENT_SOURCE_DIR}/arch/riscv -I${board_folder} -I${folder})

    set(objects)
    foreach(source ${ARGN})
        get_filename_component(base ${source} NAME)
        set(object ${folder}/${base}.o)
        # The identity of the firmware is the hash of all other objects.
        set(identity)
        if(base STREQUAL "main.c")
            set(identity ${folder}/build_id.h)
        else()
            list(APPEND objects ${object})
        endif()
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${RIVULET_CLANG} ${flags} -MD -MF ${object}.d -c
                    ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
            DEPENDS ${source} ${board_folder}/board.h ${NEWLIB_STAMP_rv${xlen}} ${identity}
            DEPFILE ${object}.d
            COMMENT "Firmware ${board}-rv${xlen}: ${source}"
            VERBATIM)
    endforeach()
    add_custom_command(
        OUTPUT ${folder}/build_id.h
        COMMAND ${CMAKE_COMMAND} "-DFILES=${objects};${CMAKE_CURRENT_SOURCE_DIR}/arch/riscv/main.c"
                -DOUTPUT=${folder}/build_id.h -P ${CMAKE_CURRENT_SOURCE_DIR}/build_id.cmake
        DEPENDS ${objects} ${CMAKE_CURRENT_SOURCE_DIR}/arch/riscv/main.c build_id.cmake
        VERBATIM)
    set(script ${CMAKE_CURRENT_SOURCE_DIR}/arch/riscv/firmware.ld)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${RIVULET_LLD} -static -nostdlib --gc-sections --no-relax --build-id=sha1
                -z max-page-size=4096 -L${board_folder} -T ${script} -Map=${folder}/firmware.map
                -o ${output} ${objects} ${folder}/main.c.o ${NEWLIB_rv${xlen}}/lib/libc.a
        DEPENDS ${objects} ${folder}/main.c.o ${script} ${board_folder}/board.ld
        COMMENT "Firmware ${board}-rv${xlen}.elf"
        VERBATIM)
    add_custom_target(${name} ALL DEPENDS ${output})
    add_dependencies(${name} board-${board} newlib-rv${xlen})
    install(FILES ${output} DESTINATION ${CMAKE_INSTALL_LIBDIR}/rivulet/firmware)
    if(BUILD_TESTING)
        add_test(NAME firmware.${board}-rv${xlen}.size
                 COMMAND ${CMAKE_COMMAND} -DSIZE=${RIVULET_LLVM_TOOLS}/llvm-size -DFILE=${output}
                         -DLIMIT=65536 -P ${CMAKE_CURRENT_SOURCE_DIR}/check_size.cmake)
    endif()
endfunction()
