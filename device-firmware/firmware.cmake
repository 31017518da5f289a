# SPDX-License-Identifier: Apache-2.0
#
# Cross-builds without a second CMake: one custom command per source, with dependency files that
# Ninja reads.

set(RIVULET_FIRMWARE_FOLDER ${CMAKE_CURRENT_LIST_DIR})
set(RIVULET_SOURCE ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(NORMAL_PATH RIVULET_SOURCE)
find_program(RIVULET_CLANG NAMES clang-22 clang REQUIRED)
set(RIVULET_CACHE_DIR ${CMAKE_BINARY_DIR}/cache CACHE PATH
    "Where one-time builds (newlib) survive `clean`")
set(RIVULET_LLVM_TOOLS /usr/lib/llvm-22/bin CACHE PATH "LLVM's binutils and ld.lld")
find_program(RIVULET_LLD ld.lld HINTS ${RIVULET_LLVM_TOOLS} REQUIRED NO_DEFAULT_PATH)

# Soft float and no vectors: M mode never touches a kernel's f and v registers.
set(RIVULET_FIRMWARE_TARGET_rv64 --target=riscv64-unknown-elf -march=rv64imac_zicsr_zifencei
    -mabi=lp64 -mcmodel=medany)
set(RIVULET_FIRMWARE_TARGET_rv32 --target=riscv32-unknown-elf -march=rv32imac_zicsr_zifencei
    -mabi=ilp32 -mcmodel=medany)

# The largest frame is that of the device tree reader, 1,376 bytes; a stack has 4096.
set(RIVULET_FIRMWARE_FRAME_BYTES 1536)

# What hello.build says: a file of an installed SDK, or of this build.
set(RIVULET_FIRMWARE_VERSION ${RIVULET_FIRMWARE_FOLDER}/build_version.txt)
if(NOT EXISTS ${RIVULET_FIRMWARE_VERSION})
    include(${RIVULET_SOURCE}/cmake/RivuletBuildVersion.cmake)
    set(RIVULET_FIRMWARE_VERSION ${RIVULET_BUILD_VERSION}.txt)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/newlib/newlib.cmake)

set(RIVULET_FIRMWARE_CORE core/balance.c core/boot.c core/clear.c core/completion.c core/follow.c core/launch.c core/lock.c core/log.c
    core/schedule.c core/regions.c core/sample.c core/service.c core/session.c core/state.c core/stream.c core/unit.c core/unit_job.c core/work.c)
set(RIVULET_FIRMWARE_UNITS core/unit.c core/unit_job.c) # of these, for boards with units
set(RIVULET_FIRMWARE_RISCV arch/riscv/start.S arch/riscv/board_key.c
    arch/riscv/boot_report.c arch/riscv/cache.c arch/riscv/device_tree.c arch/riscv/doorbell.c
    arch/riscv/doorbell_ivshmem.c arch/riscv/extension_rows.S arch/riscv/extensions.c
    arch/riscv/format.c arch/riscv/interrupt.c arch/riscv/ipi.c arch/riscv/kernel.c arch/riscv/machine_mode.c arch/riscv/memory.c
    arch/riscv/paging.c arch/riscv/panic.c arch/riscv/pmp.c arch/riscv/probe.S arch/riscv/registers.c
    arch/riscv/resource_table.c
    arch/riscv/sbi.c arch/riscv/spin_lock.c arch/riscv/stop_devices.c arch/riscv/supervisor_mode.c arch/riscv/timer.c)
set(RIVULET_FIRMWARE_DRIVERS drivers/aplic.c drivers/cfi_flash.c drivers/clint.c drivers/console.c drivers/device.c
    drivers/imsic.c drivers/mailbox.c
    drivers/platform.c drivers/plic.c drivers/reset.c drivers/thead.c drivers/uart.c
    drivers/watchdog.c)
set(RIVULET_FIRMWARE_SIGNATURE signature/ed25519.c signature/sha512.c) # for boards with a key
list(TRANSFORM RIVULET_FIRMWARE_SIGNATURE PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
# Code that runs once at boot, once per host or at the end, and copies, which take longer than the code
# around them. Functions like that in other files are marked with SELDOM.
set(RIVULET_FIRMWARE_SELDOM core/boot.c core/clear.c core/log.c core/regions.c core/state.c core/unit.c
    core/unit_job.c units/model.c arch/riscv/board_key.c arch/riscv/boot_report.c arch/riscv/copy.c
    arch/riscv/device_tree.c arch/riscv/extensions.c arch/riscv/format.c arch/riscv/machine_mode.c
    arch/riscv/main.c arch/riscv/panic.c arch/riscv/registers.c arch/riscv/resource_table.c
    arch/riscv/rv32.c arch/riscv/sbi.c arch/riscv/stop_devices.c arch/riscv/supervisor_mode.c drivers/aplic.c drivers/cfi_flash.c
    drivers/clint.c drivers/console.c drivers/device.c drivers/imsic.c drivers/mailbox.c drivers/platform.c
    drivers/reset.c drivers/thead.c drivers/uart.c drivers/watchdog.c)
list(TRANSFORM RIVULET_FIRMWARE_SELDOM PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
# What is optimised as a whole.
set(RIVULET_FIRMWARE_WHOLE ${RIVULET_FIRMWARE_CORE} arch/riscv/kernel.c arch/riscv/spin_lock.c)
# The program in NOR flash that a board's harts start with, before any firmware.
set(RIVULET_BOOT_STAGE boot/start.S boot/harts.c boot/main.c boot/print.c boot/slot.c boot/update.c arch/riscv/format.c arch/riscv/memory.c
    arch/riscv/probe.S
    drivers/cfi_flash.c drivers/clint.c drivers/console.c drivers/device.c drivers/platform.c drivers/uart.c)
list(TRANSFORM RIVULET_BOOT_STAGE PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
list(TRANSFORM RIVULET_FIRMWARE_WHOLE PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
list(TRANSFORM RIVULET_FIRMWARE_CORE PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
list(TRANSFORM RIVULET_FIRMWARE_UNITS PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
list(TRANSFORM RIVULET_FIRMWARE_RISCV PREPEND ${RIVULET_FIRMWARE_FOLDER}/)
list(TRANSFORM RIVULET_FIRMWARE_DRIVERS PREPEND ${RIVULET_FIRMWARE_FOLDER}/)

# rivulet_firmware(BOARD XLEN [SMALL|SMALLEST] SOURCES…) builds
# ${CMAKE_BINARY_DIR}/lib/rivulet/firmware/BOARD-rvXLEN.elf from the common sources and the board's
# own. SMALL, SMALLEST: launches may take longer, so that it fits in 64 KB.
#
# rivulet_firmware(BOARD XLEN MAIN FILE NAME TEST SOURCES…) builds a program that tests them,
# ${CMAKE_BINARY_DIR}/device-firmware/TEST-rvXLEN/TEST.elf, with FILE instead of main.c.
function(rivulet_firmware board xlen)
    cmake_parse_arguments(PARSE_ARGV 2 TEST "SMALL;SMALLEST" "MAIN;NAME" "")
    set(main arch/riscv/main.c)
    set(limit 65536)
    set(name firmware-${board}-rv${xlen})
    set(output ${CMAKE_BINARY_DIR}/lib/rivulet/firmware/${board}-rv${xlen}.elf)
    if(TEST_MAIN)
        file(RELATIVE_PATH main ${RIVULET_FIRMWARE_FOLDER} ${TEST_MAIN})
        set(name ${TEST_NAME}-rv${xlen})
        set(limit 131072)
        set(output ${CMAKE_BINARY_DIR}/device-firmware/${name}/${TEST_NAME}.elf)
    endif()
    set(folder ${CMAKE_BINARY_DIR}/device-firmware/${name})
    set(board_folder ${CMAKE_BINARY_DIR}/boards/${board})
    file(MAKE_DIRECTORY ${folder}/board ${CMAKE_BINARY_DIR}/lib/rivulet/firmware)
    set(flags ${RIVULET_FIRMWARE_TARGET_rv${xlen}} -std=c11 -O2 -g -ffreestanding -fno-builtin-printf
        -ffunction-sections -fdata-sections -fno-pic -fno-common -fstack-protector-strong
        -Wframe-larger-than=${RIVULET_FIRMWARE_FRAME_BYTES}
        "-ffile-prefix-map=${RIVULET_SOURCE}=/usr/src/rivulet/" -Wall -Wextra -Wconversion -Wno-sign-conversion
        -nostdlibinc -isystem ${NEWLIB_rv${xlen}}/include -I${RIVULET_SOURCE}
        -I${RIVULET_FIRMWARE_FOLDER}/arch/riscv -I${board_folder} -I${folder})

    set(sources ${RIVULET_FIRMWARE_CORE} ${RIVULET_FIRMWARE_RISCV} ${RIVULET_FIRMWARE_DRIVERS}
        ${RIVULET_FIRMWARE_SIGNATURE} ${RIVULET_FIRMWARE_FOLDER}/${main} ${TEST_UNPARSED_ARGUMENTS})
    if(xlen EQUAL 32)
        list(APPEND sources ${RIVULET_FIRMWARE_FOLDER}/arch/riscv/rv32.c)
    endif()
    if(RIVULET_FIRMWARE_COPY_ENGINE)
        list(APPEND sources ${RIVULET_FIRMWARE_FOLDER}/arch/riscv/copy.c)
        list(APPEND flags -DRIVULET_COPY_ENGINE)
    endif()
    set(units)
    foreach(source IN LISTS TEST_UNPARSED_ARGUMENTS)
        file(STRINGS ${source} rows REGEX "^RIVULET_UNIT\\(")
        list(APPEND units ${rows})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    endforeach()
    if(units)
        list(APPEND flags -DRIVULET_UNITS)
    else()
        list(REMOVE_ITEM sources ${RIVULET_FIRMWARE_UNITS})
    endif()
    set(objects)
    foreach(source IN LISTS sources)
        get_filename_component(base ${source} NAME)
        file(RELATIVE_PATH label ${RIVULET_FIRMWARE_FOLDER} ${source})
        # A board's own files may have the same names as common ones.
        set(object ${folder}/${base}.o)
        if(label MATCHES "^(\\.\\./|tests/)" AND NOT label STREQUAL main)
            set(object ${folder}/board/${base}.o)
        endif()
        # The build id is the hash of all other objects.
        set(identity)
        if(label STREQUAL main)
            set(identity ${folder}/build_id.h)
        else()
            list(APPEND objects ${object})
        endif()
        set(smaller)
        if(TEST_SMALLEST)
            set(smaller -Oz)
        elseif(TEST_SMALL)
            set(smaller -Os)
        endif()
        # Most functions of the portable part have one caller, in another file: inlining them saves
        # an eighth of a launch's instructions. Frame sizes are then checked by tests/frames.py.
        set(whole)
        if(source IN_LIST RIVULET_FIRMWARE_WHOLE)
            set(whole -flto)
        endif()
        if(source IN_LIST RIVULET_FIRMWARE_SELDOM OR (TEST_SMALLEST AND source IN_LIST RIVULET_FIRMWARE_SIGNATURE))
            set(smaller -Oz)
        elseif(source IN_LIST RIVULET_FIRMWARE_SIGNATURE)
            set(smaller -Os)
        elseif(TEST_MAIN AND label MATCHES "^tests/") # what is tested fills most of the memory
            set(smaller -Os)
        endif()
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${RIVULET_CLANG} ${flags} ${smaller} ${whole} -MD -MF ${object}.d -c ${source} -o ${object}
            DEPENDS ${source} ${board_folder}/board.h ${NEWLIB_STAMP_rv${xlen}} ${identity}
            DEPFILE ${object}.d
            COMMENT "Firmware ${board}-rv${xlen}: ${label}"
            VERBATIM)
    endforeach()
    add_custom_command(
        OUTPUT ${folder}/build_id.h
        COMMAND ${CMAKE_COMMAND} "-DFILES=${objects};${RIVULET_FIRMWARE_FOLDER}/${main}"
                -DVERSION=${RIVULET_FIRMWARE_VERSION} -DOUTPUT=${folder}/build_id.h
                -P ${RIVULET_FIRMWARE_FOLDER}/build_id.cmake
        DEPENDS ${objects} ${RIVULET_FIRMWARE_VERSION} ${RIVULET_FIRMWARE_FOLDER}/${main}
                ${RIVULET_FIRMWARE_FOLDER}/build_id.cmake
        VERBATIM)
    set(script ${RIVULET_FIRMWARE_FOLDER}/arch/riscv/firmware.ld)
    add_custom_command(
        OUTPUT ${output}
        # lld must not relax to gp: after a trap, gp may hold the kernel's value.
        COMMAND ${RIVULET_LLD} -static -nostdlib --no-undefined --gc-sections --build-id=sha1
                -z max-page-size=4096 -L${board_folder} -T ${script} -Map=${folder}/firmware.map
                -o ${output} ${objects} ${folder}/main.c.o ${NEWLIB_rv${xlen}}/lib/libc.a
        COMMAND ${CMAKE_COMMAND} -DSIZE=${RIVULET_LLVM_TOOLS}/llvm-size -DFILE=${output}
                -DLIMIT=${limit} -P ${RIVULET_FIRMWARE_FOLDER}/check_size.cmake
        DEPENDS ${objects} ${folder}/main.c.o ${script} ${board_folder}/board.ld
                ${RIVULET_FIRMWARE_FOLDER}/check_size.cmake
        COMMENT "Firmware ${board}-rv${xlen}.elf"
        VERBATIM)
    add_custom_target(${name} ALL DEPENDS ${output})
    add_dependencies(${name} board-${board} newlib-rv${xlen})
    if(TARGET rivulet_build_version) # which makes a file that build_id.h is made of
        add_dependencies(${name} rivulet_build_version)
    endif()
    if(TEST_MAIN)
        return()
    endif()
    if(NOT RIVULET_FIRMWARE_NO_INSTALL)
        if(COMMAND rivulet_product)
            rivulet_product(${name})
        endif()
        install(FILES ${output} DESTINATION lib/rivulet/firmware)
    endif()
    if(BUILD_TESTING AND EXISTS ${RIVULET_FIRMWARE_FOLDER}/tests) # an installed SDK has no tests
        find_package(Python3 COMPONENTS Interpreter REQUIRED)
        add_test(NAME firmware.${board}-rv${xlen}.frames
                 COMMAND ${Python3_EXECUTABLE} -B ${RIVULET_FIRMWARE_FOLDER}/tests/frames.py
                         ${RIVULET_LLVM_TOOLS}/llvm-objdump ${output}
                         ${RIVULET_FIRMWARE_FRAME_BYTES})
        add_test(NAME firmware.${board}-rv${xlen}.pmp_fence
                 COMMAND ${Python3_EXECUTABLE} -B ${RIVULET_FIRMWARE_FOLDER}/tests/pmp_fence.py
                         ${RIVULET_LLVM_TOOLS}/llvm-objdump ${output})
    endif()
endfunction()

# rivulet_boot_stage(BOARD XLEN SOURCES…) builds
# ${CMAKE_BINARY_DIR}/lib/rivulet/boards/BOARD/boot-rvXLEN.bin, the code in NOR flash that this
# board's harts start with.
function(rivulet_boot_stage board xlen)
    set(name boot-stage-${board}-rv${xlen})
    set(folder ${CMAKE_BINARY_DIR}/device-firmware/${name})
    set(output ${CMAKE_BINARY_DIR}/lib/rivulet/boards/${board}/boot-rv${xlen}.bin)
    set(board_folder ${CMAKE_BINARY_DIR}/boards/${board})
    file(MAKE_DIRECTORY ${folder})
    set(flags ${RIVULET_FIRMWARE_TARGET_rv${xlen}} -std=c11 -Os -g -ffreestanding -fno-builtin-printf
        -ffunction-sections -fdata-sections -fno-pic -fno-common
        -Wframe-larger-than=${RIVULET_FIRMWARE_FRAME_BYTES}
        "-ffile-prefix-map=${RIVULET_SOURCE}=." -Wall -Wextra -Wconversion -Wno-sign-conversion
        -nostdlibinc -isystem ${NEWLIB_rv${xlen}}/include -I${RIVULET_SOURCE} -I${board_folder}
        -I${RIVULET_FIRMWARE_FOLDER}/arch/riscv -DRIVULET_UNITS) # units of the board's files are dropped
    set(objects)
    foreach(source IN LISTS RIVULET_BOOT_STAGE RIVULET_FIRMWARE_SIGNATURE ARGN)
        get_filename_component(base ${source} NAME)
        set(object ${folder}/${base}.o)
        list(APPEND objects ${object})
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${RIVULET_CLANG} ${flags} -MD -MF ${object}.d -c ${source} -o ${object}
            DEPENDS ${source} ${board_folder}/board.h ${NEWLIB_STAMP_rv${xlen}}
            DEPFILE ${object}.d
            COMMENT "Boot stage ${board}-rv${xlen}: ${base}"
            VERBATIM)
    endforeach()
    set(script ${RIVULET_FIRMWARE_FOLDER}/boot/boot.ld)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${RIVULET_CLANG} -E -P -x c -I${RIVULET_SOURCE} -I${board_folder} ${script}
                -o ${folder}/boot.ld
        COMMAND ${RIVULET_LLD} -static -nostdlib --no-undefined --gc-sections --no-relax
                -T ${folder}/boot.ld -Map=${folder}/boot.map -o ${folder}/boot.elf
                ${objects} ${NEWLIB_rv${xlen}}/lib/libc.a
        COMMAND ${RIVULET_LLVM_TOOLS}/llvm-objcopy -O binary ${folder}/boot.elf ${output}
        DEPENDS ${objects} ${script} ${RIVULET_FIRMWARE_FOLDER}/boot/memory.h ${board_folder}/board.h
        COMMENT "Boot stage ${board}-rv${xlen}"
        VERBATIM)
    add_custom_target(${name} ALL DEPENDS ${output})
    add_dependencies(${name} board-${board} newlib-rv${xlen})
    if(NOT RIVULET_FIRMWARE_NO_INSTALL AND COMMAND rivulet_product)
        rivulet_product(${name})
    endif()
endfunction()
