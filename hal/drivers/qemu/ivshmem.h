// SPDX-License-Identifier: Apache-2.0
//
// The protocol of an ivshmem server (QEMU's docs/specs/ivshmem-spec.rst, "The server"): 8-byte
// little-endian messages, some with a descriptor. Also defines the lines of our card.
#pragma once

#include <cstdint>

namespace rivulet::hal::ivshmem {

inline constexpr int64_t protocol_version = 0;
inline constexpr int64_t shared_memory = -1; // comes with the memory's descriptor
inline constexpr int64_t card_peer = 0;      // peers' ids, which come with an eventfd per vector
inline constexpr int64_t first_host_peer = 1;

/// The card's vectors, which a host rings by writing them to register 12 of BAR 0.
inline constexpr uint32_t bell_line = 0;    // hart 0's doorbell
inline constexpr uint32_t reset_line = 1;   // stops the harts
inline constexpr uint32_t release_line = 2; // lets them run
inline constexpr uint32_t card_lines = 3;
/// Added by the card to the host's eventfd when it has stopped its harts: more than the number of
/// bells can ever reach.
inline constexpr uint64_t reset_done = uint64_t{1} << 32;

} // namespace rivulet::hal::ivshmem
