# SPDX-License-Identifier: Apache-2.0
#
# The toolchain files of this folder have this in common: clang, and qemu-user for what a build or a
# test runs. They set `machine` first, as GNU triplets name it, and `architecture`, as Debian does.
# Headers and libraries are those of RIVULET_SYSROOT, which sysroot.py makes, or else those of Debian's cross compilers (packages g++-aarch64-linux-gnu,
# g++-riscv64-linux-gnu), which have no LLVM: such a build is one without compiler.

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

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH RIVULET_SYSROOT_DEFAULT)
cmake_path(GET RIVULET_SYSROOT_DEFAULT PARENT_PATH RIVULET_SYSROOT_DEFAULT)
set(RIVULET_SYSROOT ${RIVULET_SYSROOT_DEFAULT}/build/cache/sysroot-${architecture} CACHE PATH
    "Root of a Debian of the other architecture, with LLVM; without it, Debian's cross compilers")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RIVULET_SYSROOT)
if(EXISTS ${RIVULET_SYSROOT}/usr/include)
    set(CMAKE_SYSROOT ${RIVULET_SYSROOT})
    set(rivulet_root ${RIVULET_SYSROOT})
    set(rivulet_headers ONLY)
elseif(EXISTS /usr/${machine}-linux-gnu/lib/libc.so)
    # Headers that are the same everywhere (CLI11, nlohmann-json, OpenCL, xxhash) are this machine's;
    # libraries are the other machine's only.
    set(rivulet_root /usr/${machine}-linux-gnu)
    set(rivulet_headers BOTH)
else()
    message(FATAL_ERROR "there is no C library for ${machine}: apt-get install g++-${machine}-linux-gnu, "
                        "or cmake/toolchains/sysroot.py ${architecture} ${RIVULET_SYSROOT}")
endif()
find_program(RIVULET_EMULATOR qemu-${machine} NO_CMAKE_FIND_ROOT_PATH)
if(RIVULET_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${RIVULET_EMULATOR} ${emulator_options} -L ${rivulet_root})
endif()

# Programs of the build run here.
set(CMAKE_FIND_ROOT_PATH ${rivulet_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ${rivulet_headers})
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ${rivulet_headers})
