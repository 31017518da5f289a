// SPDX-License-Identifier: Apache-2.0
//
// Files of sysfs, which hold one line each.
#pragma once

#include <initializer_list>
#include <string>

#include "base/error.h"
#include "hal/core/config.h"

namespace rivulet::hal::window {

/// Path of a sysfs file; the setting `sysfs` selects another tree.
std::string sysfs_path(const Settings &settings, std::initializer_list<Part> parts);
Result<std::string> read_line(const std::string &path);
Result<> write_line(const std::string &path, const std::string &line);

} // namespace rivulet::hal::window
