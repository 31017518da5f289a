// SPDX-License-Identifier: Apache-2.0
//
// Pictures in memory, read from PNG or JPEG files and written as PNG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct Pixel {
    uint8_t r = 0, g = 0, b = 0, a = 255;
};

struct Picture {
    int width = 0;
    int height = 0;
    std::vector<Pixel> pixels;

    Picture() = default;
    Picture(int width, int height, Pixel fill = {})
        : width(width), height(height), pixels(size_t(width) * size_t(height), fill) {}
    Pixel &at(int x, int y) { return pixels[size_t(y) * size_t(width) + size_t(x)]; }
    const Pixel &at(int x, int y) const { return pixels[size_t(y) * size_t(width) + size_t(x)]; }
};

/// Both throw std::runtime_error with a message that names the file.
Picture read_picture(const std::string &path);
void write_png(const std::string &path, const Picture &picture);

/// Pictures with captions below them, `columns` side by side.
struct Panel {
    std::string caption;
    Picture picture;
};
Picture contact_sheet(const std::vector<Panel> &panels, int columns);
