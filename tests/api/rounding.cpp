// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_select_fprounding_mode, bit for bit against this machine's own rounding modes.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "on_device.h"

#pragma STDC FENV_ACCESS ON

namespace rivulet::test {
namespace {

constexpr char source[] = R"(
kernel void $M(global $T *out, global const $T *in, global const long *integers,
                 global const $W *wide, global half *halves) {
    size_t i = get_global_id(0);
    out += 17 * i;
    $T x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
    int n = (int)integers[i];
    $T near = x * y, scale = ($T)get_num_groups(0) / 7;
#pragma OPENCL SELECT_ROUNDING_MODE $M
    out[0] = x + y;
    out[1] = x - y;
    out[2] = x * y;
    out[3] = x / y;
    out[4] = x * y + z;
    {
#pragma OPENCL FP_CONTRACT OFF
        out[5] = x * y - z;
    }
    out[6] = integers[i];
    out[7] = convert_$T((uint)n);
    out[8] = convert_$T_rtz(integers[i]) + convert_$T2((long2)(integers[i])).y;
    out[9] = ($T)wide[i];
    $T sum = x;
    if (n & 1) {
        sum += y;
    } else {
        sum += z;
#pragma OPENCL SELECT_ROUNDING_MODE rtz
        sum -= y;
    }
    out[10] = sum / z;
    for (int k = 0; k < (n & 7); ++k)
        sum += z;
    out[11] = sum;
    out[12] = (($T3)(x, y, z) * ($T3)(y, z, x)).z;
    out[13] = fma(x, y, z);
    out[14] = ($T)(int)get_global_size(0) / 3 + x;
    vstore_half((float)x, i, halves);
    if (n & 2)
        x++;
    out[16] = x;
#pragma OPENCL SELECT_ROUNDING_MODE rte
    out[15] = near * scale + z;
}
)";

struct Mode {
    const char *name;
    int host;
};
constexpr Mode modes[] = {
    {"rte", FE_TONEAREST}, {"rtz", FE_TOWARDZERO}, {"rtp", FE_UPWARD}, {"rtn", FE_DOWNWARD}};

class Within {
public:
    explicit Within(int mode) : before_(fegetround()) { fesetround(mode); }
    ~Within() { fesetround(before_); }
    Within(const Within &) = delete;

private:
    int before_;
};

using Half = _Float16;
template <class T> using Computed = std::conditional_t<std::is_same_v<T, Half>, double, T>;

double value_of_half(uint16_t bits) { return double(std::bit_cast<Half>(bits)); }

// Halves in their order, from minus to plus infinity.
Half half_of(double x, int mode) {
    if (std::isnan(x))
        return std::bit_cast<Half>(uint16_t(0x7e00));
    const bool minus = std::signbit(x);
    const double size = std::fabs(x);
    uint16_t below = 0; // the greatest half that isn't greater, by bisection
    for (uint16_t bit = 1 << 14; bit; bit >>= 1)
        if (uint16_t more = below | bit; more <= 0x7c00 && value_of_half(more) <= size)
            below = more;
    const double rest = size - value_of_half(below);
    const double step = below >= 0x7bff ? 32 : value_of_half(below + 1) - value_of_half(below);
    const bool away = mode == FE_UPWARD      ? !minus
                      : mode == FE_DOWNWARD  ? minus
                      : mode == FE_TONEAREST ? 2 * rest > step || (2 * rest == step && (below & 1))
                                             : false;
    if (rest > 0 && below < 0x7c00 && away)
        ++below;
    return std::bit_cast<Half>(uint16_t(below | (minus ? 0x8000 : 0)));
}

// Rounds x, which was computed in the mode that is set, in the same mode: rounding twice in one
// direction is rounding once, and to nearest x has bits enough.
template <class T> T rounded(double x) {
    if constexpr (std::is_same_v<T, Half>)
        return half_of(x, fegetround());
    else
        return T(x);
}
template <class T> T of_integer(auto n) {
    if constexpr (std::is_same_v<T, Half>)
        return half_of(double(n), fegetround());
    else
        return T(n);
}

template <class T> struct Inputs {
    T x, y, z;
    int64_t integer;
    double wide;
};

template <class T> std::vector<Inputs<T>> inputs(size_t count) {
    using Bits = std::conditional_t<sizeof(T) == 2, uint16_t,
                                    std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    constexpr Bits one = Bits(sizeof(T) == 2   ? 0x3c00
                              : sizeof(T) == 4 ? 0x3f800000
                                               : 0x3ff0000000000000);
    constexpr Bits infinity = Bits(sizeof(T) == 2   ? 0x7c00
                                   : sizeof(T) == 4 ? 0x7f800000
                                                    : 0x7ff0000000000000);
    const Bits edges[] = {0,
                          1,
                          2,
                          one,
                          Bits(one + 1),
                          Bits(one - 1),
                          Bits(infinity / 2),
                          infinity,
                          Bits(infinity - 1),
                          Bits(infinity + 1),
                          Bits(infinity / (infinity / (one / 8))),
                          Bits(infinity - one / 16)};
    std::mt19937_64 random(7);
    auto any = [&] {
        Bits bits = Bits(random());
        if (random() % 3 == 0)
            bits = edges[random() % std::size(edges)];
        else if (random() % 2) // of similar magnitude
            bits = Bits(one + (bits & (one >> 4)));
        if (random() % 2)
            bits ^= Bits(1) << (8 * sizeof(Bits) - 1);
        return std::bit_cast<T>(bits);
    };
    std::vector<Inputs<T>> result(count);
    for (Inputs<T> &one_of : result) {
        one_of = {any(), any(), any(), int64_t(random()) >> (random() % 64),
                  std::bit_cast<double>(random())};
        if (random() % 4) // what fits
            one_of.wide = std::ldexp(double(int64_t(random())), -int(random() % 90));
    }
    return result;
}

template <class T> bool same(T a, T b) {
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

class Rounding : public OnDevice {
protected:
    bool has(const char *extension) const {
        return device.getInfo<CL_DEVICE_EXTENSIONS>().find(extension) != std::string::npos;
    }

    template <class T> void check(const std::string &type, const std::string &wide) {
        const size_t count = 1500;
        const auto all = inputs<T>(count);
        std::vector<T> in;
        std::vector<int64_t> integers;
        std::vector<double> wides;
        for (const auto &one : all) {
            in.insert(in.end(), {one.x, one.y, one.z});
            integers.push_back(one.integer);
            wides.push_back(one.wide);
        }
        const std::vector<float> floats(wides.begin(), wides.end());
        for (const Mode &mode : modes) {
            std::string text =
                (type == "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "") +
                std::string(source);
            for (auto [name, is] :
                 {std::pair<std::string, std::string>{"$M", mode.name}, {"$T", type}, {"$W", wide}})
                for (size_t at; (at = text.find(name)) != std::string::npos;)
                    text.replace(at, name.size(), is);
            cl::Kernel tested = kernel(text, mode.name);
            const cl::Buffer out = buffer(std::vector<T>(17 * count));
            const cl::Buffer halves = buffer(std::vector<Half>(count));
            tested.setArg(0, out);
            tested.setArg(1, buffer(in));
            tested.setArg(2, buffer(integers));
            tested.setArg(3, wide == "double" ? buffer(wides) : buffer(floats));
            tested.setArg(4, halves);
            queue.enqueueNDRangeKernel(tested, {}, cl::NDRange(count), cl::NDRange(100));
            const auto results = read<T>(out, 17 * count);
            const auto stored = read<Half>(halves, count);
            for (size_t i = 0; i < count; ++i) {
                const double source_of = wide == "double" ? all[i].wide : double(floats[i]);
                compare(all[i], source_of, mode.host, &results[17 * i], stored[i]);
                if (HasFailure()) {
                    ADD_FAILURE() << type << " " << mode.name << ", item " << i;
                    return;
                }
            }
        }
    }

    template <class T>
    void compare(const Inputs<T> &in, double wide, int mode, const T *results, Half stored) {
        using C = Computed<T>;
        volatile C x = C(in.x), y = C(in.y), z = C(in.z);
        volatile int32_t n = int32_t(in.integer);
        volatile int64_t integer = in.integer;
        volatile C scale = C(rounded<T>(C(15) / C(7)));
        const C near = C(rounded<T>(x * y));
        T expected[17] = {};
        expected[13] = rounded<T>(nearest_fma(in.x, in.y, in.z));
        expected[15] = T(0);
        T unfused, fused;
        Half half;
        {
            const Within within(mode);
            expected[0] = rounded<T>(x + y);
            expected[1] = rounded<T>(x - y);
            expected[2] = rounded<T>(x * y);
            expected[3] = rounded<T>(x / y);
            fused = rounded<T>(std::fma(x, y, z));
            unfused = rounded<T>(C(expected[2]) + z);
            expected[5] = rounded<T>(C(expected[2]) - z);
            expected[6] = of_integer<T>(integer);
            expected[7] = of_integer<T>(uint32_t(n));
            T towards_zero;
            {
                const Within inner(FE_TOWARDZERO);
                towards_zero = of_integer<T>(integer);
            }
            expected[8] = rounded<T>(C(towards_zero) + C(expected[6]));
            volatile double value = wide;
            expected[9] = rounded<T>(value);
            volatile C sum;
            if (n & 1) {
                sum = C(rounded<T>(x + y));
            } else {
                sum = C(rounded<T>(x + z));
                const Within inner(FE_TOWARDZERO);
                sum = C(rounded<T>(sum - y));
            }
            expected[10] = rounded<T>(sum / z);
            for (int k = 0; k < (n & 7); ++k)
                sum = C(rounded<T>(sum + z));
            expected[11] = T(sum);
            expected[12] = rounded<T>(z * x);
            volatile C size = 1500, third = C(rounded<T>(size / C(3)));
            expected[14] = rounded<T>(third + x);
            volatile C one = 1;
            expected[16] = (n & 2) ? rounded<T>(x + one) : in.x;
            volatile float narrow = float(x);
            half = half_of(double(narrow), mode);
        }
        expected[4] = same(results[4], unfused) ? unfused : fused;
        const C product = C(rounded<T>(near * scale));
        const T rte = rounded<T>(product + z);
        expected[15] = same(results[15], rte) ? rte : rounded<T>(std::fma(near, scale, z));
        for (int k = 0; k < 17; ++k)
            EXPECT_TRUE(same(results[k], expected[k]))
                << "result " << k << ": " << double(results[k]) << ", not " << double(expected[k])
                << " of " << double(in.x) << ", " << double(in.y) << ", " << double(in.z) << ", "
                << in.integer << ", " << wide;
        EXPECT_TRUE(same(stored, half)) << double(stored) << ", not " << double(half);
    }

    // Halves are computed in double, where the sum of a product and a half may have to be rounded:
    // to odd.
    static double nearest_fma(auto x, auto y, auto z) {
        if constexpr (!std::is_same_v<decltype(x), Half>) {
            return std::fma(x, y, z);
        } else {
            const volatile double a = double(x) * double(y), c = double(z);
            volatile double nearest = a + c, low, high;
            {
                const Within within(FE_DOWNWARD);
                low = a + c;
            }
            {
                const Within within(FE_UPWARD);
                high = a + c;
            }
            if (low == high || std::isnan(nearest))
                return nearest;
            return std::bit_cast<uint64_t>(double(low)) & 1 ? low : high;
        }
    }
};

TEST_F(Rounding, OfFloatsIsAsSelected) {
    if (!has("cl_khr_select_fprounding_mode"))
        GTEST_SKIP() << "no floating point";
    check<float>("float", has("cl_khr_fp64") ? "double" : "float");
}
TEST_F(Rounding, OfDoublesIsAsSelected) {
    if (!has("cl_khr_fp64"))
        GTEST_SKIP() << "no double";
    check<double>("double", "double");
}
TEST_F(Rounding, OfHalvesIsAsSelected) {
    if (!has("cl_khr_fp16"))
        GTEST_SKIP() << "no half";
    check<Half>("half", has("cl_khr_fp64") ? "double" : "float");
}

} // namespace
} // namespace rivulet::test
