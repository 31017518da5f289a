// SPDX-License-Identifier: Apache-2.0
// The inputs on which the math functions are tried.
#ifndef RIVULET_LIBRARY_TEST_INPUTS_H
#define RIVULET_LIBRARY_TEST_INPUTS_H

#include "compiler/library/test/reference.h"
#include "compiler/library/test/subject.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace rivulet::library {

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <typename T> struct Inputs {
    std::vector<T> x, y, z;
    std::vector<int> n; // where the second argument is an integer
};

// Any bits; the range where a function moves; a few units from multiples of ¼ and of π/4, where
// much cancels; neighbours of another value's magnitude.
template <typename T> class Points {
public:
    Points(double low, double high) : range_(low, high) {}
    T next() {
        auto kind = random_() % 8;
        if (kind < 4)
            return static_cast<T>(range_(random_));
        if (kind > 4)
            return of_bits(random_());
        double multiple = static_cast<int>(random_() % 64) - 32;
        T middle = static_cast<T>(multiple * (random_() % 2 ? 0.25 : 0.78539816339744830962));
        return of_bits(std::bit_cast<BitsOf<T>>(middle) + random_() % 9 - 4);
    }
    T near(T x) {
        return static_cast<T>(std::ldexp(static_cast<double>(x) * (1 + fraction_(random_)),
                                         static_cast<int>(random_() % 64) - 32));
    }
    // Values between low and high, or close to a multiple of π/4 there.
    T next_limited() {
        constexpr double quarter = 0.78539816339744830962;
        double x = range_(random_);
        if (coin())
            return static_cast<T>(x);
        T multiple = static_cast<T>(std::rint(x / quarter) * quarter);
        auto bits = std::bit_cast<BitsOf<T>>(multiple);
        return std::clamp(multiple == 0 ? multiple : of_bits(bits + random_() % 9 - 4),
                          static_cast<T>(range_.a()), static_cast<T>(range_.b()));
    }
    int next_int() {
        auto bits = random_();
        int small = static_cast<int>(bits >> 32) % 100;
        return bits % 4 ? small : static_cast<int>(bits >> 32);
    }
    bool coin() { return random_() % 2; }
    // 7.2: signalling NaNs needn't be there.
    static T of_bits(std::uint64_t bits) {
        T value = std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
        return value == value ? value : static_cast<T>(std::numeric_limits<double>::quiet_NaN());
    }

private:
    std::mt19937_64 random_{20121114};
    std::uniform_real_distribution<double> range_, fraction_;
};

// Special values in all combinations, then one value per exponent, then points. One argument of
// half takes as many of its 65536 values as fit, evenly spread.
template <typename T> Inputs<T> inputs_for(const Subject<T> &subject, std::size_t count) {
    constexpr Format format = format_of<T>;
    Inputs<T> inputs;
    auto put = [&](double x, double y, T z, int n) {
        inputs.x.push_back(static_cast<T>(x));
        inputs.y.push_back(static_cast<T>(y));
        inputs.z.push_back(z);
        inputs.n.push_back(n);
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double special[] = {0,
                              1,
                              2,
                              0.5,
                              infinity,
                              std::numeric_limits<double>::quiet_NaN(),
                              (2 - std::ldexp(2, -format.digits)) *
                                  std::ldexp(1, format.largest - 1),
                              std::ldexp(1, format.smallest - 1),
                              std::ldexp(1, format.smallest - format.digits),
                              std::ldexp(1, 1 - format.digits)};
    Points<T> points(subject.low, subject.high);
    if (subject.limited) {
        while (inputs.x.size() < count) {
            double x = static_cast<double>(points.next_limited());
            double y = static_cast<double>(points.next_limited());
            put(x, y, points.next_limited(), points.next_int());
        }
        return inputs;
    }
    if (sizeof(T) == 2 && subject.one) {
        for (std::size_t i = 0; i < count; ++i)
            put(static_cast<double>(Points<T>::of_bits(i * 0x10000 / count)), 0, 0, 0);
        return inputs;
    }
    for (double x : special)
        for (double y : special)
            for (int signs = 0; signs < 4; ++signs)
                put(signs & 1 ? -x : x, signs & 2 ? -y : y, points.next(), points.next_int());
    for (int e = format.smallest - format.digits; e < format.largest; ++e)
        put(std::ldexp(e % 2 ? 1.3 : -1.7, e), 1.1, points.next(), points.next_int());
    while (inputs.x.size() < count) {
        T x = points.next(), y = points.coin() ? points.next() : points.near(x);
        T z = points.coin() ? points.next() : points.near(static_cast<T>(-x * y));
        if (points.coin())
            std::swap(x, y);
        put(static_cast<double>(x), static_cast<double>(y), z, points.next_int());
    }
    inputs.x.resize(count);
    inputs.y.resize(count);
    inputs.z.resize(count);
    inputs.n.resize(count);
    return inputs;
}

} // namespace rivulet::library

#endif
