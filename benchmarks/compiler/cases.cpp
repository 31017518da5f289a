// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/compiler/cases.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "benchmarks/compiler/references.h"

namespace rivulet::bench {
namespace {

/// The generator of bare/bench.h: the same inputs as the hand-written versions get.
class Random {
public:
    uint32_t next() { return state_ = state_ * 1664525u + 1013904223u; }
    float range(float low, float high) {
        const float product = (high - low) * (float(next() >> 8) * 0x1p-24f);
        return low + product; // this folder is compiled with -ffp-contract=off
    }
    std::vector<float> floats(size_t count, float low, float high) {
        std::vector<float> values(count);
        for (float &value : values)
            value = range(low, high);
        return values;
    }

private:
    uint32_t state_ = 12345;
};

template <class T> Array input(const std::vector<T> &values) {
    return {bytes_of(std::span<const T>(values)), false};
}
template <class T> Array output(size_t count) { return {Bytes(count * sizeof(T)), true}; }
template <class T> Value value(T value) { return {bytes_of(std::span<const T>(&value, 1))}; }

template <class T> std::vector<T> typed(const Bytes &bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// Largest |got - right| / max(1, |right|).
template <class T> double largest_error(const Bytes &got, const std::vector<T> &right) {
    const auto values = typed<T>(got);
    double worst = 0;
    for (size_t i = 0; i < right.size(); ++i) {
        double error = std::abs(double(values[i]) - double(right[i]));
        if constexpr (std::is_floating_point_v<T>)
            error /= std::max(1.0, std::abs(double(right[i])));
        worst = error <= worst ? worst : error; // a NaN stays
    }
    return worst;
}

double share_of_differences(const Bytes &got, const std::vector<int32_t> &right) {
    const auto values = typed<int32_t>(got);
    size_t differences = 0;
    for (size_t i = 0; i < right.size(); ++i)
        differences += values[i] != right[i];
    return double(differences) / double(right.size());
}

/// For kernels with a single result.
template <class T> auto differs_from(std::vector<T> right) {
    return [right = std::move(right)](const std::vector<Bytes> &results) {
        return largest_error(results[0], right);
    };
}
/// … and with two, whose errors add up.
auto differs_from(std::vector<float> first, std::vector<float> second) {
    return [first = std::move(first), second = std::move(second)](const auto &results) {
        return largest_error(results[0], first) + largest_error(results[1], second);
    };
}

Case saxpy() {
    constexpr size_t n = 16384;
    constexpr float a = 2.5f;
    Random random;
    const auto x = random.floats(n, -1, 1), y = random.floats(n, -1, 1);
    auto right = y;
    plain_saxpy(n, a, x.data(), right.data());
    Array in_out = input(y);
    in_out.result = true;
    return {.name = "saxpy",
            .global = {n},
            .local = {},
            .arguments = {value(a), input(x), in_out},
            .tolerance = 1e-6,
            .error = differs_from(right)};
}

Case vecadd() {
    constexpr uint32_t n = 10000, global = 10240;
    Random random;
    const auto a = random.floats(n, -1, 1), b = random.floats(n, -1, 1);
    std::vector<float> right(global);
    plain_vecadd(global, a.data(), b.data(), right.data(), n);
    return {.name = "vecadd",
            .global = {global},
            .local = {},
            .arguments = {input(a), input(b), output<float>(global), value(n)},
            .error = differs_from(right)};
}

Case sobel() {
    constexpr int width = 320, height = 240;
    Random random;
    std::vector<uint8_t> pixels(width * height), right(width * height);
    for (size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = uint8_t((random.next() >> 24) >> ((i / 40) & 3));
    plain_sobel(pixels.data(), right.data(), width, height);
    return {
        .name = "sobel",
        .global = {width, height},
        .local = {16, 16},
        .arguments = {input(pixels), output<uint8_t>(right.size()), value(width), value(height)},
        .error = differs_from(right)};
}

using Sgemm = void(const float *, const float *, float *, int, int, int);
Case sgemm(const char *name, Sgemm *reference) {
    constexpr int side = 64;
    Random random;
    const auto a = random.floats(side * side, -1, 1), b = random.floats(side * side, -1, 1);
    std::vector<float> right(side * side);
    reference(a.data(), b.data(), right.data(), side, side, side);
    return {.name = name,
            .global = {side, side},
            .local = {16, 16},
            .arguments = {input(a), input(b), output<float>(side * side), value(side), value(side),
                          value(side)},
            .tolerance = 1e-5,
            .error = differs_from(right)};
}

Case reduction() {
    constexpr size_t n = 16384, group = 256;
    const auto in = Random().floats(n, -1, 1);
    std::vector<float> right(n / group);
    plain_reduction(n / group, in.data(), right.data());
    return {.name = "reduction",
            .global = {n},
            .local = {group},
            .arguments = {input(in), output<float>(n / group)},
            .tolerance = 1e-5,
            .error = differs_from(right)};
}

Case mandelbrot() {
    constexpr int width = 256, height = 192, most = 64;
    constexpr float x0 = -2.25f, y0 = -1.125f, dx = 3.0f / width, dy = 2.25f / height;
    std::vector<int32_t> right(width * height);
    plain_mandelbrot(right.data(), width, height, x0, y0, dx, dy, most);
    return {.name = "mandelbrot",
            .global = {width, height},
            .local = {16, 16},
            .arguments = {output<int32_t>(right.size()), value(width), value(height), value(x0),
                          value(y0), value(dx), value(dy), value(most)},
            .tolerance = 0.01,
            .error = [right](const std::vector<Bytes> &results) {
                return share_of_differences(results[0], right);
            }};
}

Case spmv_csr() {
    constexpr int rows = 1024, columns = 1024;
    Random random;
    std::vector<int32_t> row_starts{0}, column_indices;
    std::vector<float> values;
    for (int row = 0; row < rows; ++row) {
        const uint32_t u = random.next();
        const int length = int((u >> 8) & 31) + (((u >> 20) & 15) == 0 ? 64 : 0);
        row_starts.push_back(row_starts.back() + length);
    }
    for (int i = 0; i < row_starts.back(); ++i) {
        column_indices.push_back(int32_t(random.next() >> 22));
        values.push_back(random.range(-1, 1));
    }
    const auto x = random.floats(columns, -1, 1);
    std::vector<float> right(rows);
    plain_spmv_csr(row_starts.data(), column_indices.data(), values.data(), x.data(), right.data(),
                   rows);
    return {.name = "spmv_csr",
            .global = {rows},
            .local = {},
            .arguments = {input(row_starts), input(column_indices), input(values), input(x),
                          output<float>(rows), value(rows)},
            .tolerance = 1e-5,
            .error = differs_from(right)};
}

Case nbody() {
    constexpr int n = 256;
    constexpr float dt = 0.001f, eps2 = 0.01f;
    Random random;
    std::vector<float> position, velocity;
    for (int i = 0; i < n; ++i) {
        for (int axis = 0; axis < 3; ++axis)
            position.push_back(random.range(-1, 1));
        position.push_back(random.range(0.5f, 1.5f)); // mass
        for (int axis = 0; axis < 3; ++axis)
            velocity.push_back(random.range(-1, 1));
        velocity.push_back(0);
    }
    std::vector<float> new_position(4 * n), new_velocity(4 * n);
    plain_nbody(position.data(), velocity.data(), new_position.data(), new_velocity.data(), n, dt,
                eps2);
    return {.name = "nbody",
            .global = {n},
            .local = {},
            .arguments = {input(position), input(velocity), output<float>(4 * n),
                          output<float>(4 * n), value(n), value(dt), value(eps2)},
            .tolerance = 1e-5,
            .error = differs_from(new_position, new_velocity)};
}

Case histogram() {
    constexpr uint32_t n = 65536, items = 4096, bins = 256;
    Random random;
    std::vector<uint8_t> data(n);
    for (uint8_t &byte : data) {
        const uint32_t u = random.next();
        byte = uint8_t((u >> 24) & ((u >> 16) | 0x3c));
    }
    std::vector<uint32_t> right(bins);
    plain_histogram(data.data(), right.data(), n, items);
    return {.name = "histogram",
            .global = {items},
            .local = {bins},
            .arguments = {input(data), output<uint32_t>(bins), value(n)},
            .error = differs_from(right)};
}

Case blackscholes() {
    constexpr uint32_t n = 4096;
    constexpr float rate = 0.02f, volatility = 0.30f;
    Random random;
    const auto s = random.floats(n, 5, 30), k = random.floats(n, 1, 100),
               t = random.floats(n, 0.25f, 10);
    std::vector<float> call(n), put(n);
    plain_blackscholes(s.data(), k.data(), t.data(), call.data(), put.data(), rate, volatility, n);
    return {.name = "blackscholes",
            .global = {n},
            .local = {},
            .arguments = {input(s), input(k), input(t), output<float>(n), output<float>(n),
                          value(rate), value(volatility), value(n)},
            .tolerance = 1e-5,
            .error = differs_from(call, put)};
}

Case conv2d() {
    constexpr int width = 120, height = 120;
    Random random;
    const auto in = random.floats((width + 4) * (height + 4), -1, 1),
               coefficients = random.floats(25, -1, 1);
    std::vector<float> right(width * height);
    plain_conv2d(in.data(), right.data(), coefficients.data(), width, height);
    return {.name = "conv2d",
            .global = {128, 128},
            .local = {16, 16},
            .arguments = {input(in), output<float>(right.size()), input(coefficients), value(width),
                          value(height)},
            .tolerance = 1e-5,
            .error = differs_from(right)};
}

Case transpose() {
    constexpr int width = 256, height = 192, tile = 32, rows = 8;
    const auto in = Random().floats(width * height, -1, 1);
    std::vector<float> right(width * height);
    plain_transpose(in.data(), right.data(), width, height);
    return {.name = "transpose",
            .global = {width, height / (tile / rows)},
            .local = {tile, rows},
            .arguments = {input(in), output<float>(right.size()), value(width), value(height)},
            .error = differs_from(right)};
}

Case bitonic() {
    constexpr uint32_t n = 16384, k = 1024;
    Random random;
    std::vector<uint32_t> keys(n);
    for (uint32_t &key : keys)
        key = random.next();
    auto right = keys;
    std::vector<Launch> launches;
    for (uint32_t j = k / 2; j > 0; j /= 2) {
        plain_bitonic(right.data(), n, j, k);
        launches.push_back({{{1, value(j)}}});
    }
    Array in_out = input(keys);
    in_out.result = true;
    return {.name = "bitonic",
            .global = {n},
            .local = {},
            .arguments = {in_out, value(uint32_t{0}), value(k)},
            .launches = launches,
            .error = differs_from(right)};
}

Case scan() {
    constexpr size_t n = 16384, group = 256;
    Random random;
    std::vector<uint32_t> in(n), right(n);
    for (uint32_t &number : in)
        number = random.next() >> 16;
    plain_scan(in.data(), right.data(), n / group);
    return {.name = "scan",
            .global = {n},
            .local = {group},
            .arguments = {input(in), output<uint32_t>(n)},
            .error = differs_from(right)};
}

Case bilinear() {
    constexpr int from_width = 128, from_height = 96, width = 200, height = 150;
    constexpr float scale_x = float(from_width) / width, scale_y = float(from_height) / height;
    Random random;
    std::vector<uint8_t> pixels;
    for (int i = 0; i < from_width * from_height; ++i) {
        const uint32_t u = random.next();
        for (int channel = 0; channel < 4; ++channel)
            pixels.push_back(uint8_t(u >> (8 + 6 * channel)));
    }
    std::vector<uint8_t> right(4 * width * height);
    plain_bilinear(pixels.data(), right.data(), from_width, from_height, width, height, scale_x,
                   scale_y);
    return {.name = "bilinear",
            .global = {208, 160},
            .local = {16, 16},
            .arguments = {input(pixels), output<uint8_t>(right.size()), value(from_width),
                          value(from_height), value(width), value(height), value(scale_x),
                          value(scale_y)},
            .tolerance = 1,
            .error = differs_from(right)};
}

/// Through an image and a sampler: chapter 8's linear filtering, edges clamped.
Case sample(const char *name, size_t channels) {
    constexpr size_t from_width = 128, from_height = 96, width = 208, height = 160;
    constexpr float scale_x = float(from_width) / width, scale_y = float(from_height) / height;
    Picture picture{from_width, from_height,
                    Random().floats(channels * from_width * from_height, 0, 1)};
    std::vector<float> right;
    for (size_t y = 0; y < height; ++y)
        for (size_t x = 0; x < width; ++x) {
            const float u = (float(x) + 0.5f) * scale_x - 0.5f;
            const float v = (float(y) + 0.5f) * scale_y - 0.5f;
            const float a = u - std::floor(u), b = v - std::floor(v);
            const auto element = [&](float column, float row, size_t channel) {
                const size_t i = size_t(std::clamp(column, 0.0f, float(from_width - 1)));
                const size_t j = size_t(std::clamp(row, 0.0f, float(from_height - 1)));
                return picture.contents[channels * (j * from_width + i) + channel];
            };
            for (size_t channel = 0; channel < channels; ++channel) {
                const float i = std::floor(u), j = std::floor(v);
                right.push_back((1 - a) * (1 - b) * element(i, j, channel) +
                                a * (1 - b) * element(i + 1, j, channel) +
                                (1 - a) * b * element(i, j + 1, channel) +
                                a * b * element(i + 1, j + 1, channel));
            }
        }
    return {.name = name,
            .global = {width, height},
            .local = {16, 16},
            .arguments = {std::move(picture), output<float>(right.size()), value(scale_x),
                          value(scale_y)},
            .tolerance = 1e-4,
            .error = differs_from(right)};
}

} // namespace

std::vector<Case> all_cases() {
    return {saxpy(),
            vecadd(),
            sobel(),
            sgemm("sgemm_naive", plain_sgemm_naive),
            sgemm("sgemm_tiled", plain_sgemm_tiled),
            reduction(),
            mandelbrot(),
            spmv_csr(),
            nbody(),
            histogram(),
            blackscholes(),
            conv2d(),
            transpose(),
            bitonic(),
            scan(),
            bilinear(),
            sample("sample_red", 1),
            sample("sample_rgba", 4)};
}

} // namespace rivulet::bench
