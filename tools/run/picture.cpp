// SPDX-License-Identifier: Apache-2.0
#include "tools/run/picture.h"

#include <span>
#include <stdexcept>

#include <png.h>

#include "tools/command_line/output_file.h"

namespace rivulet::run {

Picture load_picture(const std::string &path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path.c_str()) == 0)
        throw std::runtime_error("cannot read " + path + ": " + image.message);
    image.format = PNG_FORMAT_RGBA;
    Picture picture{image.width, image.height, std::vector<std::byte>(PNG_IMAGE_SIZE(image))};
    if (png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) == 0)
        throw std::runtime_error("cannot read " + path + ": " + image.message);
    return picture;
}

void save_picture(const std::string &path, const Picture &picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::byte> file(PNG_IMAGE_PNG_SIZE_MAX(image));
    png_alloc_size_t size = file.size();
    if (png_image_write_to_memory(&image, file.data(), &size, 0, picture.rgba.data(), 0, nullptr) ==
        0)
        throw std::runtime_error("cannot write " + path + ": " + image.message);
    command_line::write_output(path, std::span(file).first(size));
}

} // namespace rivulet::run
