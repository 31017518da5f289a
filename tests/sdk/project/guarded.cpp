// SPDX-License-Identifier: Apache-2.0
//
// A C++ driver without a device: it links the shared driver helpers, and reports that.
#include "hal/drivers/support.h"

namespace {

rvl_status enumerate(const rvl_config *, const rvl_host *host, rvl_device_desc *, size_t,
                     size_t *) {
    return rivulet::hal::Reporter(host).fail(RVL_NOT_FOUND, {"device ", 42, " is not plugged in"});
}

rvl_status open(const rvl_config *, const rvl_device_desc *, const rvl_host *, rvl_device **) {
    return RVL_NOT_FOUND;
}
void close(rvl_device *) {}
rvl_status read(rvl_device *, uint64_t, void *, size_t) { return RVL_DEAD; }
rvl_status write(rvl_device *, uint64_t, const void *, size_t) { return RVL_DEAD; }
rvl_status ring(rvl_device *, uint64_t) { return RVL_DEAD; }
rvl_status wait(rvl_device *, uint64_t) { return RVL_DEAD; }
rvl_status wake(rvl_device *) { return RVL_DEAD; }

constexpr rvl_driver table = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "guarded",
    .enumerate = rivulet::hal::guarded<enumerate>,
    .open = open,
    .close = close,
    .read = read,
    .write = write,
    .ring = ring,
    .wait = wait,
    .wake = wake,
};

} // namespace

const rvl_driver *rvl_driver_named(const char *) { return &table; }
