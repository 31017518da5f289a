// SPDX-License-Identifier: Apache-2.0
//
// Where kernels were when the firmware's timer interrupted them: rings in device memory, which the
// trace is written from. RIVULET_SAMPLE asks for them.
#pragma once

#include <memory>
#include <vector>

#include "hal/core/lock.h"
#include "hal/core/trace.h"
#include "hal/protocol/mailbox.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class Session;

class KernelSamples {
public:
    /// Makes the device take samples; nothing where none are wanted, or it can't.
    static std::unique_ptr<KernelSamples> start(Session &session);

    /// Writes the new ones to the trace, under the device's row there.
    void write(hal::trace::TraceWriter &writer, uint64_t row);

private:
    KernelSamples(Session &session, Block rings, uint32_t slots);
    [[nodiscard]] uint64_t ring_bytes() const;

    Session &session_;
    const Block rings_;
    const uint32_t slots_;
    Mutex mutex_{LockRank::callback}; // above the trace's
    std::vector<uint32_t> read_;      // of each hart
};

} // namespace rivulet
