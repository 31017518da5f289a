// SPDX-License-Identifier: Apache-2.0
//
// cl_platform_id: the only platform, and its devices. Never destroyed.
#pragma once

#include <memory>
#include <vector>

#include "host-runtime/device/device.h"

namespace rivulet {

class Platform : public Object {
public:
    static Platform &get();

    /// The platform of a handle, or the default for NULL (4.1, 4.2); CL_INVALID_PLATFORM.
    static Ref<Platform> checked_or_default(cl_platform_id handle);

    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }

private:
    Platform();

    std::vector<std::unique_ptr<PhysicalDevice>> physical_devices_;
    std::vector<Ref<Device>> devices_;
};

/// 4.2: the devices of a type, or CL_INVALID_DEVICE_TYPE.
std::vector<Ref<Device>> devices_of_type(const Platform &platform, cl_device_type device_type);
/// CL_DEVICE_NOT_FOUND if there are none.
void require_found(const std::vector<Ref<Device>> &found, const Platform &platform);

} // namespace rivulet
