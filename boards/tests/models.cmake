# SPDX-License-Identifier: Apache-2.0
#
# Boards whose chip no QEMU has, as far as QEMU's virt machine can be them: their tree with memory and
# devices moved to where virt has such. Everything else is the board's own: where firmware, mailbox
# and harts' memory lie in RAM, harts, ISA, and which drivers the compatible strings choose. K230's
# vendor CSRs are left out: its root is called virt.
set(virt_devices
    "reg-shift = <2>" "reg-shift = <0>" "reg-io-width = <4>" "reg-io-width = <1>")
set(k230_moves
    "compatible = \"canaan,k230-sdma\"" "compatible = \"rivulet,absent\"" # virt has RAM there
    "compatible = \"canaan,kendryte-k230\"" "compatible = \"riscv-virtio\""
    "<0x0 0x10" "<0x0 0x90" "@10" "@90"
    "@f04000000" "@2000000" "<0xf 0x04000000 0 0x10000>" "<0x0 0x02000000 0 0x10000>"
    "@f00000000" "@c000000" "<0xf 0x00000000 0 0x4000000>" "<0x0 0x0c000000 0 0x600000>"
    "@91403000" "@10000000" "<0x0 0x91403000 0 0x1000>" "<0x0 0x10000000 0 0x100>"
    "interrupts = <19>" "interrupts = <10>")
set(bananapi-f3_moves
    "<0x0 0x00000000 0x0 0x80000000>" "<0x0 0x80000000 0x0 0x80000000>" "memory@0" "memory@80000000"
    "<0x0 0x10" "<0x0 0x90" "@10" "@90"
    "@e4000000" "@2000000" "<0x0 0xe4000000 0 0x10000>" "<0x0 0x02000000 0 0x10000>"
    "@e0000000" "@c000000" "<0x0 0xe0000000 0 0x4000000>" "<0x0 0x0c000000 0 0x600000>"
    "@d4017000" "@10000000" "<0x0 0xd4017000 0 0x100>" "<0x0 0x10000000 0 0x100>"
    "interrupts = <42>" "interrupts = <10>")
set(sg2044_moves
    "@6d44000000" "@2000000" "<0x6d 0x44000000 0 0x4000>" "<0x0 0x02000000 0 0x4000>"
    "@6d44004000" "@2004000" "<0x6d 0x44004000 0 0x8000>" "<0x0 0x02004000 0 0x7ff8>"
    "@6d40000000" "@c000000" "<0x6d 0x40000000 0 0x4000000>" "<0x0 0x0c000000 0 0x600000>"
    "@7030000000" "@10000000" "<0x70 0x30000000 0 0x1000>" "<0x0 0x10000000 0 0x100>"
    "interrupts = <41>" "interrupts = <10>")

foreach(board k230 bananapi-f3 sg2044)
    set(source ${CMAKE_SOURCE_DIR}/boards/${board}/board.dts)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} tree)
    set(moves ${virt_devices} ${${board}_moves})
    while(moves)
        list(POP_FRONT moves from to)
        string(FIND "${tree}" "${from}" found)
        if(found EQUAL -1)
            message(FATAL_ERROR "boards/${board}/board.dts has no ${from} to move")
        endif()
        string(REPLACE "${from}" "${to}" tree "${tree}")
    endwhile()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${board}-model/board.dts CONTENT "${tree}" @ONLY)
    rivulet_add_board(${CMAKE_CURRENT_BINARY_DIR}/${board}-model NO_INSTALL)
endforeach()

# harts, VLEN, where the boot chain's last stage enters, and the bytes of a slot, if that has to hold
# the loader stage. K1's SRAM is RAM at its own address; SG2044's harts come from the tree in a1.
foreach(model "k230 1 128 0x90000000 0" "bananapi-f3 8 256 0xc0801000 208896"
              "sg2044 64 128 0x90000000 0")
    separate_arguments(words UNIX_COMMAND "${model}")
    list(POP_FRONT words board)
    add_test(NAME boards.boots.${board}-model
             COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/model_boots.py
                     ${CMAKE_BINARY_DIR}/lib/rivulet/firmware/${board}-model-rv64.elf ${board}
                     ${words} ${CMAKE_BINARY_DIR}/device-firmware/loader/loader.bin
                     ${CMAKE_SOURCE_DIR}/device-firmware/loader/pack.py)
    set_tests_properties(boards.boots.${board}-model PROPERTIES TIMEOUT 400)
endforeach()
