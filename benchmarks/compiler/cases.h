// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the compiler benchmark: inputs, launches and expected results. Inputs are the same
// as those of the hand-written versions in bare/ and hand/; expected results come from the plain C
// version of each kernel, compiled for the host.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace rivulet::bench {

using Bytes = std::vector<std::byte>;

template <class T> Bytes bytes_of(std::span<const T> values) {
    Bytes bytes(values.size_bytes());
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// A buffer argument: its initial contents, and whether it is a result.
struct Array {
    Bytes contents;
    bool result = false;
};
/// A value argument.
struct Value {
    Bytes bytes;
};
/// An image2d_t of floats, red only or red, green, blue and alpha.
struct Picture {
    size_t width, height;
    std::vector<float> contents;
};
using Argument = std::variant<Array, Value, Picture>;

struct Launch {
    std::map<unsigned, Value> changes; // arguments of this launch only
};

struct Case {
    std::string name; // of kernel and file
    std::vector<size_t> global, local;
    std::vector<Argument> arguments;
    std::vector<Launch> launches = std::vector<Launch>(1);
    double tolerance = 0;
    /// How far the results, in the order of their arguments, are off.
    std::function<double(const std::vector<Bytes> &)> error;

    [[nodiscard]] size_t work_items() const {
        size_t items = launches.size();
        for (const size_t size : global)
            items *= size;
        return items;
    }
};

std::vector<Case> all_cases();

} // namespace rivulet::bench
