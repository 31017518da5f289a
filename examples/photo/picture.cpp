// SPDX-License-Identifier: Apache-2.0
#include "picture.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

#include <png.h>
#include <turbojpeg.h>

namespace {

constexpr int largest_side = 16384;

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
    throw std::runtime_error(path + ": " + why);
}

std::vector<uint8_t> read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        refuse(path, "can't be opened; give the path of a PNG or JPEG file");
    std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    if (file.bad() || bytes.empty())
        refuse(path, "can't be read, or is empty; give the path of a PNG or JPEG file");
    return bytes;
}

Picture sized(const std::string &path, uint64_t width, uint64_t height) {
    if (width < 3 || height < 3 || width > largest_side || height > largest_side)
        refuse(path, "is " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels; the demo takes 3 to " + std::to_string(largest_side) +
                         " on a side");
    return {int(width), int(height)};
}

Picture decode_png(const std::string &path, const std::vector<uint8_t> &bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> release(&image, png_image_free);
    if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
        refuse(path, std::string("is not a sound PNG file: ") + image.message);
    Picture picture = sized(path, image.width, image.height);
    image.format = PNG_FORMAT_RGBA;
    const png_color white{255, 255, 255};
    if (!png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr))
        refuse(path, std::string("is not a sound PNG file: ") + image.message);
    for (Pixel &pixel : picture.pixels)
        pixel.a = 255;
    return picture;
}

Picture decode_jpeg(const std::string &path, const std::vector<uint8_t> &bytes) {
    const std::unique_ptr<void, decltype(&tjDestroy)> decoder(tjInitDecompress(), tjDestroy);
    int width = 0, height = 0, subsampling = 0, colours = 0;
    if (!decoder || tjDecompressHeader3(decoder.get(), bytes.data(), bytes.size(), &width, &height,
                                        &subsampling, &colours) != 0)
        refuse(path, std::string("is not a sound JPEG file: ") + tjGetErrorStr2(decoder.get()));
    Picture picture = sized(path, uint64_t(width), uint64_t(height));
    if (tjDecompress2(decoder.get(), bytes.data(), bytes.size(),
                      reinterpret_cast<uint8_t *>(picture.pixels.data()), width, 0, height,
                      TJPF_RGBA, TJFLAG_ACCURATEDCT) != 0)
        refuse(path, std::string("is not a sound JPEG file: ") + tjGetErrorStr2(decoder.get()));
    return picture;
}

bool starts_with(const std::vector<uint8_t> &bytes, std::initializer_list<uint8_t> magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

} // namespace

Picture read_picture(const std::string &path) {
    const auto bytes = read_file(path);
    if (starts_with(bytes, {0x89, 'P', 'N', 'G'}))
        return decode_png(path, bytes);
    if (starts_with(bytes, {0xff, 0xd8, 0xff}))
        return decode_jpeg(path, bytes);
    refuse(path, "is neither a PNG nor a JPEG file");
}

void write_png(const std::string &path, const Picture &picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(picture.width);
    image.height = png_uint_32(picture.height);
    image.format = PNG_FORMAT_RGB;
    std::vector<uint8_t> rgb;
    rgb.reserve(picture.pixels.size() * 3);
    for (const Pixel &pixel : picture.pixels)
        rgb.insert(rgb.end(), {pixel.r, pixel.g, pixel.b});
    if (!png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr))
        refuse(path, std::string("can't be written: ") + image.message);
}
