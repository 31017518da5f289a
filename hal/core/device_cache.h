// SPDX-License-Identifier: Apache-2.0
//
// Maintenance of device caches that are not coherent with the host: commands that clean and
// invalidate them. Their end is signalled by a counter in the mailbox instead of a completion,
// because another thread may be about to consume completions.
#pragma once

#include "hal/core/command_ring.h"
#include "hal/core/crash_report.h"

namespace rivulet::hal {

class DeviceCache {
public:
    /// `silence_limit_ns`: the longest time without progress; 0: unlimited.
    DeviceCache(Link &link, CommandRing &commands, CrashReport &crash, uint64_t silence_limit_ns)
        : link_(link), commands_(commands), crash_(crash), silence_limit_ns_(silence_limit_ns) {}

    void restart();
    /// Before the host reads or writes this memory: waits until the device has written it back.
    Result<> clean(uint64_t address, size_t bytes);
    /// After the host has written it.
    Result<> invalidate(uint64_t address, size_t bytes);

private:
    [[nodiscard]] bool maintains(uint64_t address, size_t bytes) const;
    Result<uint32_t> submit(uint32_t operation, uint64_t address, size_t bytes);
    Result<> await(uint32_t command);
    void expect_progress(uint64_t since);

    Link &link_;
    CommandRing &commands_;
    CrashReport &crash_;
    const uint64_t silence_limit_ns_;
    uint32_t submitted_ = 0; // commands of RVL_MEMORY_CACHE so far; under the ring's lock
};

} // namespace rivulet::hal
