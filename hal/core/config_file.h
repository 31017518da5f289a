// SPDX-License-Identifier: Apache-2.0
//
// Devices that configuration files name: /etc/rivulet/*.toml, then rivulet/*.toml of the user's
// configuration, or what RIVULET_CONFIG says.
#pragma once

#include "hal/device.h"

namespace rivulet::hal {

struct ConfiguredDevices {
    std::vector<Config> devices;
    std::vector<Error> errors; // "FILE:LINE: …"; the other devices work
};

/// The devices of all files, in the order of their names. A later device replaces an earlier one
/// with the same `name`.
ConfiguredDevices read_config_files();
/// The devices of one file.
ConfiguredDevices read_config_file(const std::string &path);

} // namespace rivulet::hal
