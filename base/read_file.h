// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"

namespace rivulet {

/// Reads a whole file of at most 64 MiB.
Result<std::vector<std::byte>> read_file(const std::string &path);

} // namespace rivulet
