# SPDX-License-Identifier: Apache-2.0
set(machine aarch64)
set(architecture arm64)
include(${CMAKE_CURRENT_LIST_DIR}/linux-cross.cmake)
