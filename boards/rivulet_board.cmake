# SPDX-License-Identifier: Apache-2.0
#
# rivulet_add_board(FOLDER [XLEN 64|32 …] [NO_INSTALL] [UNITS NAME …] [UNITS_RV64 NAME …] [COPY_ENGINE]):
# builds a board, and the firmware for it, with these drivers of device-firmware/units, in all of it or in
# rv64's. With COPY_ENGINE, the folder has a driver of device-firmware/drivers/copy_engine.h.
#
# FOLDER holds board.dts, .c files if the board has drivers or a platform of its own, and
# instructions.h if kernels may use instructions of its own. Its last part is the board's name. It
# may lie anywhere, and be used by this project or by another one:
#   include(…/boards/rivulet_board.cmake)
#   rivulet_add_board(${CMAKE_CURRENT_SOURCE_DIR}/my-board)
#
#   ${CMAKE_BINARY_DIR}/boards/NAME/board.{dtb,h,ld,txt}      target board-NAME
#   ${CMAKE_BINARY_DIR}/lib/rivulet/firmware/NAME-rvXLEN.elf  target firmware-NAME-rvXLEN
#   ${CMAKE_BINARY_DIR}/lib/rivulet/boards/NAME/boot-rvXLEN.bin, where flash.toml has [pflash]

set(RIVULET_SOURCE ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(NORMAL_PATH RIVULET_SOURCE)
find_program(RIVULET_DTC dtc REQUIRED)
find_path(LIBFDT_INCLUDE libfdt.h REQUIRED)
find_library(LIBFDT_LIBRARY fdt REQUIRED)
include(${RIVULET_SOURCE}/device-firmware/firmware.cmake)

if(NOT TARGET board-header)
    add_executable(board-header
        ${CMAKE_CURRENT_LIST_DIR}/generator/board.cpp
        ${CMAKE_CURRENT_LIST_DIR}/generator/board_header.cpp
        ${CMAKE_CURRENT_LIST_DIR}/generator/key.cpp
        ${CMAKE_CURRENT_LIST_DIR}/generator/output.cpp
        ${CMAKE_CURRENT_LIST_DIR}/generator/tree.cpp
        ${RIVULET_SOURCE}/hal/isa/isa_string.cpp)
    target_compile_features(board-header PRIVATE cxx_std_23)
    target_compile_options(board-header PRIVATE -Wall -Wextra -Wconversion -Wno-sign-conversion)
    target_include_directories(board-header PRIVATE ${RIVULET_SOURCE})
    target_include_directories(board-header SYSTEM PRIVATE ${LIBFDT_INCLUDE})
    target_link_libraries(board-header PRIVATE ${LIBFDT_LIBRARY})
endif()

# rivulet_board_tree(NAME DTS): the tree, and what is generated from it, with the key.pub next to it.
function(rivulet_board_tree name dts)
    set(folder ${CMAKE_BINARY_DIR}/boards/${name})
    file(MAKE_DIRECTORY ${folder})
    get_filename_component(source ${dts} DIRECTORY)
    set(key)
    if(EXISTS ${source}/key.pub)
        set(key ${source}/key.pub)
    endif()
    file(GLOB own_drivers CONFIGURE_DEPENDS ${source}/*.c)
    if(own_drivers)
        set(own_drivers --own-drivers)
    endif()
    add_custom_command(
        OUTPUT ${folder}/board.dtb ${folder}/board.h ${folder}/board.ld ${folder}/board.txt
        COMMAND ${RIVULET_DTC} -@ -Wno-interrupt_provider -I dts -O dtb -d ${folder}/board.dtb.d
                -o ${folder}/board.dtb ${dts}
        COMMAND board-header ${own_drivers} ${folder}/board.dtb ${folder}/board.h ${folder}/board.ld ${key}
        COMMAND board-header ${own_drivers} --summary ${folder}/board.dtb > ${folder}/board.txt
        DEPENDS ${dts} ${key} board-header
        DEPFILE ${folder}/board.dtb.d
        COMMENT "Board ${name}: tree, header, linker script"
        VERBATIM)
    if(RIVULET_BOARD_OF_A_TEST)
        add_custom_target(board-${name} DEPENDS ${folder}/board.h)
        return()
    endif()
    # Files of a board that drivers and tools on the host read.
    set(installed ${CMAKE_BINARY_DIR}/lib/rivulet/boards/${name})
    file(MAKE_DIRECTORY ${installed})
    set(recipe)
    foreach(file flash.toml openocd.cfg instructions.h)
        if(EXISTS ${source}/${file})
            list(APPEND recipe ${source}/${file})
        endif()
    endforeach()
    add_custom_command(
        OUTPUT ${installed}/board.dtb
        COMMAND ${CMAKE_COMMAND} -E copy ${folder}/board.dtb ${recipe} ${key} ${installed}
        DEPENDS ${folder}/board.dtb ${recipe} ${key}
        VERBATIM)
    add_custom_target(board-${name} ALL DEPENDS ${folder}/board.h ${installed}/board.dtb)
    if(NOT RIVULET_FIRMWARE_NO_INSTALL)
        install(DIRECTORY ${installed} DESTINATION lib/rivulet/boards)
    endif()
endfunction()

function(rivulet_add_board folder)
    cmake_parse_arguments(BOARD "NO_INSTALL;COPY_ENGINE" "" "XLEN;UNITS;UNITS_RV64" ${ARGN})
    if(NOT BOARD_XLEN)
        set(BOARD_XLEN 64)
    endif()
    cmake_path(ABSOLUTE_PATH folder NORMALIZE)
    string(REGEX REPLACE "/$" "" folder ${folder})
    get_filename_component(name ${folder} NAME)
    if(NOT EXISTS ${folder}/board.dts)
        message(FATAL_ERROR "${folder} holds no board.dts; copy ${RIVULET_SOURCE}/boards/template")
    endif()
    set(RIVULET_FIRMWARE_NO_INSTALL ${BOARD_NO_INSTALL})
    set(RIVULET_FIRMWARE_COPY_ENGINE ${BOARD_COPY_ENGINE})
    rivulet_board_tree(${name} ${folder}/board.dts)
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
    set(has_flash)
    if(EXISTS ${folder}/flash.toml)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/flash.toml)
        file(STRINGS ${folder}/flash.toml has_flash REGEX "^\\[pflash\\]")
    endif()
    foreach(xlen IN LISTS BOARD_XLEN)
        rivulet_newlib(${xlen})
        set(units ${BOARD_UNITS})
        if(xlen EQUAL 64)
            list(APPEND units ${BOARD_UNITS_RV64})
        endif()
        list(TRANSFORM units PREPEND ${RIVULET_FIRMWARE_FOLDER}/units/)
        list(TRANSFORM units APPEND .c)
        set(small)
        if(xlen EQUAL 32 AND EXISTS ${folder}/key.pub) # which also verifies signatures
            set(small SMALLEST)
        elseif(xlen EQUAL 32 OR EXISTS ${folder}/key.pub)
            set(small SMALL)
        endif()
        rivulet_firmware(${name} ${xlen} ${small} ${sources} ${units})
        if(has_flash)
            rivulet_boot_stage(${name} ${xlen} ${sources})
        endif()
    endforeach()
endfunction()
