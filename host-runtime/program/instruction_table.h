// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host-runtime/compile/request.h"
#include "host-runtime/device/device.h"

namespace rivulet {

/// The built-in functions for a board's own instructions: the file in RIVULET_INSTRUCTIONS, or
/// instructions.h in the folder of the device's board. Empty if the board has no such file.
CompileRequest::Header instruction_table(const Device &device);

} // namespace rivulet
