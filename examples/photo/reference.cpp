// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr double u = 0x1p-24;
constexpr double brightest = 255;
constexpr double half_a_level = 0.5;

void note(Difference &difference, double exact, double result) {
    difference.found = std::max(difference.found, std::abs(exact - result));
}

double sum_error(size_t products) {
    const double roundings = double(products + 1) * u;
    return brightest * roundings / (1 - roundings);
}

/// Calls visit(x, y, index).
template <class Visit> void each_pixel(Size size, Visit visit) {
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            visit(x, y, size_t(y) * size_t(size.width) + size_t(x));
}

/// Weighted sum along one axis, the border repeated.
template <class In>
double weighted(Size size, const In &in, const std::vector<float> &weights, int x, int y, int dx,
                int dy) {
    const int radius = int(weights.size()) / 2;
    double sum = 0;
    for (int d = -radius; d <= radius; ++d) {
        const int from_x = std::clamp(x + d * dx, 0, size.width - 1);
        const int from_y = std::clamp(y + d * dy, 0, size.height - 1);
        sum += double(weights[size_t(d + radius)]) *
               double(in[size_t(from_y) * size_t(size.width) + size_t(from_x)]);
    }
    return sum;
}

} // namespace

Difference check_grey(const Picture &photograph, const Levels &result) {
    Difference difference;
    for (size_t i = 0; i < result.size(); ++i) {
        const Pixel c = photograph.pixels[i];
        note(difference, (77 * c.r + 150 * c.g + 29 * c.b + 128) / 256, result[i]);
    }
    return difference;
}

Difference check_blur_rows(Size size, const Levels &in, const std::vector<float> &weights,
                           const std::vector<float> &result) {
    Difference difference{.allowed = sum_error(weights.size())};
    each_pixel(size, [&](int x, int y, size_t i) {
        note(difference, weighted(size, in, weights, x, y, 1, 0), double(result[i]));
    });
    return difference;
}

Difference check_blur_columns(Size size, const std::vector<float> &in,
                              const std::vector<float> &weights, const Levels &result) {
    Difference difference{.allowed = half_a_level + sum_error(weights.size())};
    each_pixel(size, [&](int x, int y, size_t i) {
        note(difference, weighted(size, in, weights, x, y, 0, 1), result[i]);
    });
    return difference;
}

Difference check_sobel(Size size, const Levels &in, const Levels &result) {
    Difference difference{.allowed = half_a_level + 4 * 2 * u * brightest};
    each_pixel(size, [&](int x, int y, size_t i) {
        double strength = 0;
        if (x > 0 && y > 0 && x < size.width - 1 && y < size.height - 1) {
            const auto at = [&](int dx, int dy) {
                return int(in[size_t(y + dy) * size_t(size.width) + size_t(x + dx)]);
            };
            const int gx =
                at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
            const int gy =
                at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
            strength = std::min(std::hypot(gx, gy), brightest);
        }
        note(difference, strength, result[i]);
    });
    return difference;
}

Difference check_histogram(const Levels &in, const std::vector<uint32_t> &result) {
    std::vector<uint32_t> counts(256);
    for (const uint8_t level : in)
        ++counts[level];
    Difference difference;
    for (size_t level = 0; level < counts.size(); ++level)
        note(difference, counts[level], result[level]);
    return difference;
}

Difference check_level_table(const std::vector<uint32_t> &counts, const Levels &result) {
    uint64_t pixels = 0;
    for (const uint32_t count : counts)
        pixels += count;
    const uint64_t darkest = *std::ranges::find_if(counts, [](uint32_t n) { return n != 0; });
    const uint64_t range = std::max<uint64_t>(pixels - darkest, 1);
    Difference difference;
    uint64_t sum = 0;
    for (size_t level = 0; level < counts.size(); ++level) {
        sum += counts[level];
        const uint64_t above = sum - std::min(sum, darkest);
        note(difference, double((above * 255 + range / 2) / range), result[level]);
    }
    return difference;
}

Difference check_equalise(const Levels &in, const Levels &table, const Levels &result) {
    Difference difference;
    for (size_t i = 0; i < in.size(); ++i)
        note(difference, table[in[i]], result[i]);
    return difference;
}

Difference check_recolour(const Picture &photograph, const Levels &before, const Levels &after,
                          const Picture &result) {
    Difference difference{.allowed = half_a_level + 3.5 * 2 * u * (1 + 8 * u) * brightest};
    for (size_t i = 0; i < before.size(); ++i) {
        const double gain = double(after[i]) / std::max<int>(before[i], 1);
        const Pixel in = photograph.pixels[i], out = result.pixels[i];
        const auto compare = [&](uint8_t from, uint8_t to) {
            note(difference, std::min(from * gain, brightest), to);
        };
        compare(in.r, out.r);
        compare(in.g, out.g);
        compare(in.b, out.b);
    }
    return difference;
}
