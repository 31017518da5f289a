// SPDX-License-Identifier: Apache-2.0
//
// The drivers that are built in. A new one is a line here and a folder in drivers/.
#include "hal/drivers/drivers.h"
#include "hal/device.h"

namespace rivulet::hal {

std::span<const rvl_driver *const> drivers() {
    static constexpr const rvl_driver *all[] = {
        &rvl_driver_qemu,
        &rvl_driver_loopback,
        &rvl_driver_loopback_unmapped,
        &rvl_driver_loopback_noncoherent,
        &rvl_driver_null,
    };
    return all;
}

} // namespace rivulet::hal
