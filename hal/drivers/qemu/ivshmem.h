// SPDX-License-Identifier: Apache-2.0
//
// The protocol of an ivshmem server (QEMU's docs/specs/ivshmem-spec.rst, "The server"): messages
// are 8 bytes, little endian, some with a descriptor. And the lines of our card on it.
#pragma once

#include <cstdint>

namespace rivulet::hal::ivshmem {

inline constexpr int64_t protocol_version = 0;
inline constexpr int64_t shared_memory = -1; // comes with the memory's descriptor
inline constexpr int64_t card_peer = 0;      // peers' ids, which come with an eventfd per vector
inline constexpr int64_t first_host_peer = 1;

/// The vectors of the card, which a host rings by writing them to register 12 of BAR 0.
inline constexpr uint32_t bell_line = 0;    // hart 0's doorbell
inline constexpr uint32_t reset_line = 1;   // stops the harts
inline constexpr uint32_t release_line = 2; // lets them run
inline constexpr uint32_t card_lines = 3;
/// The card adds this to the host's eventfd when it has stopped its harts: more than bells come to.
inline constexpr uint64_t reset_done = uint64_t{1} << 32;

} // namespace rivulet::hal::ivshmem
