// SPDX-License-Identifier: Apache-2.0
//
// A driver in C++ that has no device: it links what drivers share, and says so.
#include "hal/drivers/support.h"

namespace {

rvl_status enumerate(const rvl_config *, const rvl_host *host, rvl_device_desc *, size_t, size_t *) {
    return rivulet::hal::Reporter(host).fail(RVL_NOT_FOUND, {"device ", 42, " is not plugged in"});
}

constexpr rvl_driver table = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "guarded",
    .enumerate = rivulet::hal::guarded<enumerate>,
};

} // namespace

const rvl_driver *rvl_driver_named(const char *) { return &table; }
