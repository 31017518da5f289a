// SPDX-License-Identifier: Apache-2.0
//
// The expected result of each kernel of photo.cl, computed on the CPU in double precision. A stage
// is judged by what the device itself put into it, so errors don't add up from stage to stage.
//
// How far a result may be off follows from the arithmetic, with u = 2^-24, half the distance from 1
// to the next float, and from the specification's limits for the embedded profile (OpenCL C 7.4):
//   whole numbers          nothing
//   sums of n products     n + 1 roundings, all terms positive: (n + 1) u / (1 - (n + 1) u),
//   relative sqrt                   4 ulp, of 2u each a / b * c              3 ulp for the
//   division, half of one for the product rounding to a level    half a level, on top of the rest
#pragma once

#include <cstdint>
#include <vector>

#include "picture.h"

/// The largest difference found, and the largest that is right.
struct Difference {
    double found = 0;
    double allowed = 0;
    [[nodiscard]] bool acceptable() const { return found <= allowed; }
};

struct Size {
    int width, height;
};
using Levels = std::vector<uint8_t>;

Difference check_grey(const Picture &photograph, const Levels &result);
Difference check_blur_rows(Size size, const Levels &in, const std::vector<float> &weights,
                           const std::vector<float> &result);
Difference check_blur_columns(Size size, const std::vector<float> &in,
                              const std::vector<float> &weights, const Levels &result);
Difference check_sobel(Size size, const Levels &in, const Levels &result);
Difference check_histogram(const Levels &in, const std::vector<uint32_t> &result);
Difference check_level_table(const std::vector<uint32_t> &counts, const Levels &result);
Difference check_equalise(const Levels &in, const Levels &table, const Levels &result);
Difference check_recolour(const Picture &photograph, const Levels &before, const Levels &after,
                          const Picture &result);
