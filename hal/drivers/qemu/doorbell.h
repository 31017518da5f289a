// SPDX-License-Identifier: Apache-2.0
//
// The doorbell between host and guest: QEMU's ivshmem-doorbell device, with one interrupt vector
// per hart. QEMU expects an ivshmem server; everything the server would send is queued on a socket
// before QEMU starts, so no server is needed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::qemu {

class Doorbell {
public:
    static Result<Doorbell> create(uint32_t harts);
    /// Without any bell: `wait` returns often, and the caller looks.
    void poll() { polls_ = true; }

    /// Creates a socket for a new QEMU to inherit, with the server's messages queued; `kept` is the
    /// other end, to be kept open as long as QEMU runs.
    Result<> connect(FileDescriptor &for_qemu, FileDescriptor &kept) const;

    void ring(uint64_t hart_mask) const;
    /// RVL_OK after a bell or `wake`, RVL_TIMEOUT.
    [[nodiscard]] rvl_status wait(uint64_t timeout_ns) const;
    void wake() const;
    /// Discards pending bells.
    void clear() const;
    [[nodiscard]] int host_bell() const { return host_bell_.get(); }
    [[nodiscard]] int hart_bell(size_t hart) const { return hart_bells_[hart].get(); }

private:
    FileDescriptor host_bell_;
    FileDescriptor wake_;
    std::vector<FileDescriptor> hart_bells_;
    bool polls_ = false;
};

} // namespace rivulet::hal::qemu
