// SPDX-License-Identifier: Apache-2.0
//
// The photograph demo: a chain of OpenCL kernels over a picture, each compared with a reference.
// A plain OpenCL 1.2 host program; it runs on any OpenCL device.
//
//   photo PICTURE [--output FILE.png] [--program FILE]
//
// FILE has photo.cl compiled before, for devices without a compiler.
// Ends with 0 when every kernel's result is right, 1 when one is not or OpenCL fails, 2 when it
// was called wrongly, 3 when a file can't be read or written.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "device.h"
#include "kernels.h"
#include "picture.h"
#include "reference.h"

namespace {

constexpr size_t group_side = 16, group_items = 256, histogram_items = 4096;
constexpr double sigma = 2.0;
constexpr int radius = 6; // three sigma

size_t rounded_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

std::vector<float> gaussian() {
    std::vector<double> exact;
    double sum = 0;
    for (int d = -radius; d <= radius; ++d)
        sum += exact.emplace_back(std::exp(-d * d / (2 * sigma * sigma)));
    std::vector<float> weights;
    for (const double weight : exact)
        weights.push_back(float(weight / sum));
    return weights;
}

Picture from_levels(Size size, const Levels &levels) {
    Picture picture(size.width, size.height);
    for (size_t i = 0; i < levels.size(); ++i)
        picture.pixels[i] = {levels[i], levels[i], levels[i], 255};
    return picture;
}

/// The table, one row per kernel; knows whether all of them were right.
class Report {
public:
    Report() {
        std::printf("%-13s %10s %12s %14s %6s %12s %12s %10s\n", "kernel", "work-items",
                    "device time", "instructions", "harts", "round trip", "error", "allowed");
    }
    void add(const Launch &launch, const Difference &difference) {
        std::printf("%-13s %10zu %9.3f ms %14s %6s %9.3f ms %12.6f %10.6f%s\n",
                    launch.kernel.c_str(), launch.work_items, launch.device_ms,
                    launch.instructions ? std::to_string(*launch.instructions).c_str() : "-",
                    launch.harts ? std::to_string(*launch.harts).c_str() : "-",
                    launch.round_trip_ms, difference.found, difference.allowed,
                    difference.acceptable() ? "" : "  WRONG");
        std::fflush(stdout);
        right_ = right_ && difference.acceptable();
    }
    [[nodiscard]] bool right() const { return right_; }

private:
    bool right_ = true;
};

bool process(Device &device, const Picture &photograph, std::vector<Panel> &panels) {
    const Size size{photograph.width, photograph.height};
    const size_t pixels = photograph.pixels.size();
    const Range plane{
        2,
        {rounded_up(size_t(size.width), group_side), rounded_up(size_t(size.height), group_side)},
        {group_side, group_side}};
    const Range line{1, {rounded_up(pixels, group_items), 1}, {group_items, 1}};
    const Range counting{1, {histogram_items, 1}, {group_items, 1}};
    const Range levels{1, {group_items, 1}, {group_items, 1}};
    const cl_int width = size.width, height = size.height, count = cl_int(pixels);
    const auto weights = gaussian();

    const Buffer colour = device.buffer(photograph.pixels);
    const Buffer kernel_weights = device.buffer(weights);
    const Buffer luma = device.buffer(pixels), half_blurred = device.buffer(pixels * sizeof(float));
    const Buffer blurred = device.buffer(pixels), edges = device.buffer(pixels);
    const Buffer counts = device.buffer(std::vector<cl_uint>(256)), table = device.buffer(256);
    const Buffer even = device.buffer(pixels), result = device.buffer(pixels * sizeof(Pixel));

    Report report;
    const Launch grey_launch = device.run("grey", plane, colour, luma, width, height);
    const auto grey = device.read<uint8_t>(luma, pixels);
    report.add(grey_launch, check_grey(photograph, grey));

    const Launch rows_launch = device.run("blur_rows", plane, luma, half_blurred, kernel_weights,
                                          cl_int{radius}, width, height);
    const auto rows = device.read<float>(half_blurred, pixels);
    report.add(rows_launch, check_blur_rows(size, grey, weights, rows));

    const Launch columns_launch = device.run("blur_columns", plane, half_blurred, blurred,
                                             kernel_weights, cl_int{radius}, width, height);
    const auto smooth = device.read<uint8_t>(blurred, pixels);
    report.add(columns_launch, check_blur_columns(size, rows, weights, smooth));

    const Launch sobel_launch = device.run("sobel", plane, blurred, edges, width, height);
    const auto strength = device.read<uint8_t>(edges, pixels);
    report.add(sobel_launch, check_sobel(size, smooth, strength));

    const Launch histogram_launch = device.run("histogram", counting, luma, counts, count);
    const auto histogram = device.read<cl_uint>(counts, 256);
    report.add(histogram_launch, check_histogram(grey, histogram));

    const Launch table_launch =
        device.run("level_table", levels, counts, table, LocalMemory{group_items * sizeof(cl_uint)},
                   cl_uint(pixels));
    const auto level_table = device.read<uint8_t>(table, 256);
    report.add(table_launch, check_level_table(histogram, level_table));

    const Launch equalise_launch = device.run("equalise", line, luma, even, table, count);
    const auto equalised = device.read<uint8_t>(even, pixels);
    report.add(equalise_launch, check_equalise(grey, level_table, equalised));

    const Launch recolour_launch = device.run("recolour", line, colour, luma, even, result, count);
    Picture recoloured(size.width, size.height);
    recoloured.pixels = device.read<Pixel>(result, pixels);
    report.add(recolour_launch, check_recolour(photograph, grey, equalised, recoloured));

    panels = {{"photograph", photograph},
              {"grey", from_levels(size, grey)},
              {"gaussian blur", from_levels(size, smooth)},
              {"sobel", from_levels(size, strength)},
              {"equalised", from_levels(size, equalised)},
              {"recoloured", std::move(recoloured)}};
    return report.right();
}

struct Options {
    std::string picture;
    std::string output = "photo-output.png";
    std::string program;
    bool valid = false;
};

Options parse(int count, char **arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(arguments[i], "--output") == 0 && i + 1 < count)
            options.output = arguments[++i];
        else if (std::strcmp(arguments[i], "--program") == 0 && i + 1 < count)
            options.program = arguments[++i];
        else if (arguments[i][0] != '-' && options.picture.empty())
            options.picture = arguments[i];
        else
            return options;
    }
    options.valid = !options.picture.empty();
    return options;
}

template <class Work> bool attempt(Work work) {
    try {
        work();
        return true;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "photo: %s\n", error.what());
        return false;
    }
}

} // namespace

int main(int count, char **arguments) {
    const Options options = parse(count, arguments);
    if (!options.valid) {
        std::fprintf(stderr,
                     "usage: photo PICTURE.(png|jpg) [--output FILE.png] [--program FILE]\n");
        return 2;
    }
    Picture photograph;
    if (!attempt([&] { photograph = read_picture(options.picture); }))
        return 3;
    bool right = false;
    std::vector<Panel> panels;
    if (!attempt([&] {
            Device device(kernel_source, options.program);
            std::printf("%s, %d x %d pixels, on %s: %s\n\n", options.picture.c_str(),
                        photograph.width, photograph.height, device.platform().c_str(),
                        device.name().c_str());
            right = process(device, photograph, panels);
        }))
        return 1;
    if (!attempt([&] { write_png(options.output, contact_sheet(panels, 3)); }))
        return 3;
    std::printf("\n%s\npictures: %s\n",
                right ? "Every kernel agrees with the reference."
                      : "WRONG: see the rows marked above.",
                options.output.c_str());
    return right ? 0 : 1;
}
