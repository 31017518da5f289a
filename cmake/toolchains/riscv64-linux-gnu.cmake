# SPDX-License-Identifier: Apache-2.0
set(machine riscv64)
set(architecture riscv64)
# The loopback driver runs the device's own images: with a vector unit, if the emulator has one.
set(emulator_options -cpu max)
include(${CMAKE_CURRENT_LIST_DIR}/linux-cross.cmake)
