// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/flash/signing.h"

namespace rivulet::flash {

/// The bytes covered by a kernel image's signature: its code and constants as executed by the
/// device (hal/protocol/kernel_image.h). `name` is for messages.
Result<Bytes> kernel_code(View file, const std::string &name);
/// The statement, followed by the code.
Bytes kernel_message(View code);
bool is_kernel_image(View file);

} // namespace rivulet::flash
