// SPDX-License-Identifier: Apache-2.0
//
// The hardware behind a device and its sub-devices: found at the first clGetPlatformIDs, started
// at the first context, and again after it died.
#pragma once

#include <memory>
#include <string>

#include "hal/device.h"
#include "host-runtime/device/session.h"
#include "host-runtime/object/lock.h"

namespace rivulet {

class Accelerator {
public:
    explicit Accelerator(std::unique_ptr<hal::Device> device);

    [[nodiscard]] const rvl_device_desc &description() const { return hal_->description(); }
    [[nodiscard]] bool has(uint32_t flag) const { return description().flags & flag; }

    /// Of the latest start.
    [[nodiscard]] const rvl_hello &hello() const { return hal_->hello(); }

    /// The running session; starts the device when there is none. Fails with
    /// CL_DEVICE_NOT_AVAILABLE, having logged why.
    std::shared_ptr<Session> session();

private:
    std::unique_ptr<hal::Device> hal_;
    Mutex mutex_{LockRank::platform};
    std::shared_ptr<Session> session_;
};

} // namespace rivulet
