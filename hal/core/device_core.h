// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/core_file.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

/// Describes a device whose firmware has failed or is running: a thread for each hart, memory up to
/// the end of everything the mailbox points to, and, if `with_harts`, kernels' stacks and local
/// memory. `memory` is the device memory that contains all of it.
Result<Core> core_of_device(const rvl_hello &hello, uint64_t mailbox, const CoreRange &memory,
                            bool with_harts, const CoreReader &read);

} // namespace rivulet::hal
