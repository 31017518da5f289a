# SPDX-License-Identifier: Apache-2.0
#
# The toolchain files of this folder have this in common: clang with the headers and libraries of
# Debian's cross compilers (packages g++-aarch64-linux-gnu, g++-riscv64-linux-gnu), and qemu-user for
# what a build or a test runs. They set `machine` first, as GNU triplets name it.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${machine})
set(CMAKE_LIBRARY_ARCHITECTURE ${machine}-linux-gnu)
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_ASM_COMPILER clang-22)
set(CMAKE_ASM_COMPILER_TARGET ${machine}-linux-gnu)
set(CMAKE_C_COMPILER_TARGET ${machine}-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET ${machine}-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_MODULE_LINKER_FLAGS_INIT -fuse-ld=lld)

if(NOT EXISTS /usr/${machine}-linux-gnu/lib/libc.so)
    message(FATAL_ERROR "there is no C library for ${machine}: apt-get install "
                        "g++-${machine}-linux-gnu")
endif()
find_program(RIVULET_EMULATOR qemu-${machine} NO_CMAKE_FIND_ROOT_PATH)
if(RIVULET_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${RIVULET_EMULATOR} ${emulator_options} -L /usr/${machine}-linux-gnu)
endif()

# Programs of the build run here. Headers that are the same everywhere (CLI11, nlohmann-json, OpenCL,
# xxhash) are this machine's; libraries are the other machine's only.
set(CMAKE_FIND_ROOT_PATH /usr/${machine}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
