// SPDX-License-Identifier: Apache-2.0
//
// Texts for values of the protocol; state_name is declared in hal/device.h.
#pragma once

#include <cstdint>
#include <string>

namespace rivulet::hal {

/// "1.0"
std::string version_text(uint32_t version);

} // namespace rivulet::hal
