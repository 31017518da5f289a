// SPDX-License-Identifier: Apache-2.0
//
// Drivers are shared objects, loaded by name when a device of theirs is opened, and never unloaded.
#pragma once

#include "hal/device.h"

namespace rivulet::hal {

/// The driver that the settings mean: the one that `driver` names, or the path of its file; else
/// the one that is called like the machine; else qemu, or the only one that there is.
Result<const rvl_driver *> find_driver(const Config &config);

/// Checks the settings that every driver gets, and brings them into the form that hal.h promises.
Result<> normalise(Config &config);

/// The folder that holds drivers/ of this library or program; "" when there is none.
std::string find_driver_directory();
/// The path of a program of lib/rivulet that is no command; "" if there is none.
std::string find_helper(std::string_view name);

} // namespace rivulet::hal
