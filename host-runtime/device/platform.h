// SPDX-License-Identifier: Apache-2.0
//
// cl_platform_id: the one platform, and the devices found for it. Never destroyed.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "host-runtime/device/device.h"

namespace rivulet {

/// Messages for the user, on standard error: RIVULET_LOG=0 (errors), 1 (warnings), 2, 3. Never
/// under a lock: standard error may be a pipe that nobody reads.
void log(int level, std::string_view text);
/// Logs a fault of a kernel, which no error code tells: a warning that is shown unless
/// RIVULET_LOG=0. Without RIVULET_LOG, the first few of a process.
void log_fault(std::string_view text);

class Platform : public Object {
public:
    static Platform &get();

    /// Behind a handle, or the one platform for NULL (4.1, 4.2); CL_INVALID_PLATFORM.
    static Ref<Platform> checked_or_default(cl_platform_id handle);

    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }

private:
    Platform();

    std::vector<std::unique_ptr<PhysicalDevice>> physical_devices_;
    std::vector<Ref<Device>> devices_;
};

/// 4.2: those of a type, or CL_INVALID_DEVICE_TYPE.
std::vector<Ref<Device>> devices_of_type(const Platform &platform, cl_device_type device_type);
/// CL_DEVICE_NOT_FOUND if there are none.
void require_found(const std::vector<Ref<Device>> &found, const Platform &platform);

} // namespace rivulet
