// SPDX-License-Identifier: Apache-2.0
//
// PNG files as 8-bit RGBA.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rivulet::run {

struct Picture {
    size_t width = 0;
    size_t height = 0;
    std::vector<std::byte> rgba;
};

// Both throw std::runtime_error with a message.
Picture load_picture(const std::string &path);
void save_picture(const std::string &path, const Picture &picture);

} // namespace rivulet::run
