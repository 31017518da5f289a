// SPDX-License-Identifier: Apache-2.0
//
// What rivuletd and its clients say to each other.
//
// A client connects to a UNIX socket (SOCK_SEQPACKET) and sends requests; each gets one reply. The
// reply to `open` has descriptors: the client's area, its end of the bell, and, where clients map
// the device's memory, the file of that memory.
//
// The area is shared memory of the daemon and this client only. It begins with a mailbox as in
// hal/protocol/mailbox.h, whose firmware is played by the daemon. The client sees it at the
// beginning of the device's memory, where the real device has its firmware, which no host needs.
//
//   area          +----------------------------+  at memory_base of the client's device
//        0        | rvl_mailbox                |
//     4096        | Grant                      |  where the client's heap is
//     8192        | crash report               |  always empty
//    16384        | fault table                |
//    40960        | log ring                   |
//   106496        | command ring               |
//   172032        | completion ring            |
//   262144 = seen +----------------------------+
//                 | transfers, 1 MiB           |  data of `read` and `write`
//                 +----------------------------+
//
// The client's heap is a slice of the device's heap, at the same addresses. It is granted when the
// client attaches for the first time, and kept until the client disconnects.
//
// The bell is a pair of stream sockets: one byte is one ring, in either direction. An eventfd would
// let a client make the daemon's accesses block.
#pragma once

#include <array>
#include <cstdint>

#include "hal/hal.h"
#include "hal/protocol/crash.h"
#include "hal/protocol/fault.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal::daemon {

constexpr const char *default_socket = "/run/rivuletd.socket";
constexpr uint32_t wire_version = RVL_VERSION(1, 0);
constexpr uint32_t wire_magic = 0x444c5652; // "RVLD"

enum class Request : uint32_t {
    list = 1,  // the reply: the number of devices, then the description of `device`
    open = 2,  // a client's device; descriptors come with the reply
    read = 3,  // `bytes` at `address` of the client's heap, to the area's transfers
    write = 4, // the reverse
    reset = 5, // ends everything of this client, as a reset of its device would
    usage = 6, // who uses `device`: Usage records, from number `address` on
};

struct RequestMessage {
    uint32_t magic;
    uint32_t version;
    Request request;
    uint32_t device;
    uint64_t address;
    uint64_t bytes;
};
static_assert(sizeof(RequestMessage) == 32);

/// Followed by the description or the records.
struct ReplyMessage {
    uint32_t magic;
    uint32_t version;
    uint32_t status; // rvl_status
    uint32_t count;  // of devices, or of all Usage records
    uint64_t memory_offset;
    char text[232]; // why the request was refused
};
static_assert(sizeof(ReplyMessage) == 256);

/// One client of a device.
struct Usage {
    int32_t pid;
    uint32_t uid;
    uint32_t in_flight; // launches on the device
    uint32_t attached;  // 1: it has a heap and sends commands
    uint64_t heap_bytes;
    uint64_t launches; // ended
    uint64_t failures; // of these: faults, time limits, refusals
    uint64_t instructions;
    uint64_t busy_ns; // sum of the launches' times on the device
    char program[32];
};
static_assert(sizeof(Usage) == 88);
constexpr uint32_t most_usages = 256; // in one reply

constexpr uint32_t area_slots = 1024; // of either ring
constexpr uint32_t area_log_bytes = 64 << 10;
constexpr uint32_t area_faults = 64;

/// Offsets in the area.
namespace area {
constexpr uint64_t grant = 4096;
constexpr uint64_t crash = 8192;
constexpr uint64_t faults = 16384;
constexpr uint64_t log = 40960;
constexpr uint64_t commands = log + area_log_bytes;
constexpr uint64_t completions = commands + area_slots * sizeof(rvl_slot);
constexpr uint64_t seen = 262144; // bytes that the client sees in the device's memory
constexpr uint64_t transfers = seen;
constexpr uint64_t transfer_bytes = 1 << 20;
constexpr uint64_t bytes = transfers + transfer_bytes;
static_assert(crash + sizeof(rvl_crash) <= faults);
static_assert(faults + area_faults * sizeof(rvl_fault) <= log);
static_assert(completions + area_slots * sizeof(rvl_slot) <= seen);
} // namespace area

/// Tells the client where its heap is. `granted` counts the grants, so that the client maps again
/// after a change; it is written last.
struct Grant {
    uint64_t base;
    uint64_t bytes;
    rvl_padded_word granted; // the daemon writes
    rvl_padded_word mapped;  // the client writes: the grant that it has mapped
};
static_assert(area::grant + sizeof(Grant) <= area::crash);

} // namespace rivulet::hal::daemon
