// SPDX-License-Identifier: Apache-2.0
//
// Drivers are shared objects, loaded by name when one of their devices is opened, and never
// unloaded.
#pragma once

#include "hal/device.h"

namespace rivulet::hal {

/// Selects the driver: the one named by `driver`, or whose path that is; otherwise the one with the
/// machine's name; otherwise qemu or the only driver available.
Result<const rvl_driver *> find_driver(const Config &config);

/// Checks the common settings, and converts them to the form specified in hal.h.
Result<> normalise(Config &config);

} // namespace rivulet::hal
