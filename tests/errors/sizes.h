// SPDX-License-Identifier: Apache-2.0
//
// Every size, offset, origin, region and pitch that an entry point takes, alone and in pairs, at
// the ends of 32 and 64 bits and around them: what a call answers is what arithmetic of 128 bits
// says of it, and the memory around it is not changed. docs/error_coverage.py holds the
// table against the headers: a new argument of type size_t needs a row.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "errors.h"

namespace rivulet::test {

__extension__ typedef unsigned __int128 Wide;
inline constexpr Wide beyond = ~Wide{0};

inline Wide sum(Wide a, Wide b) { return a > beyond - b ? beyond : a + b; }
inline Wide product(Wide a, Wide b) { return a != 0 && b > beyond / a ? beyond : a * b; }

/// nullopt: whether the call works depends on more than its sizes, or it would touch memory that
/// the test doesn't have.
using Verdict = std::optional<bool>;
using Sizes = std::vector<size_t>;

struct Argument {
    const char *name;
    size_t honest;
};

/// An entry point, its sizes with values that work, what is to be expected of others, and the call.
struct Row {
    const char *entry_point;
    std::vector<Argument> arguments;
    std::function<Verdict(const Sizes &)> expected;
    std::function<cl_int(const Sizes &)> call;
};

inline constexpr size_t most = std::numeric_limits<size_t>::max();
inline constexpr size_t four_gib = size_t{1} << 32;
inline constexpr size_t values[] = {
    0,
    1,
    2,
    3,
    four_gib / 2,
    four_gib - 1,
    four_gib,
    four_gib + 1,
    most / 4 + 1,
    most / 3,
    most / 3 + 1,
    most / 2 - 1,
    most / 2,
    most / 2 + 1,
    most / 2 + 2,
    most - 1,
    most,
};

inline Verdict both(Verdict a, Verdict b) {
    if ((a && !*a) || (b && !*b))
        return false;
    return a && b ? Verdict(true) : std::nullopt;
}

inline Verdict in_range(size_t offset, size_t bytes, size_t limit) {
    return sum(offset, bytes) <= limit;
}

/// The end of a rect; nullopt if it is invalid.
inline std::optional<Wide> end_of_rect(const size_t *origin, const size_t *region, size_t row_pitch,
                                       size_t slice_pitch) {
    if (!region[0] || !region[1] || !region[2] || (row_pitch && row_pitch < region[0]))
        return std::nullopt;
    const Wide row = row_pitch ? row_pitch : region[0];
    const Wide least = product(region[1], row);
    if (slice_pitch && (slice_pitch < least || slice_pitch % row))
        return std::nullopt;
    const Wide slice = slice_pitch ? slice_pitch : least;
    const Wide rows = sum(product(origin[1], row), product(region[1] - 1, row));
    const Wide slices = sum(product(origin[2], slice), product(region[2] - 1, slice));
    return sum(sum(sum(origin[0], rows), slices), region[0]);
}

/// A size of application memory: as much as exists, or more than can exist.
inline Verdict on_host(const void *memory, size_t bytes, std::optional<Wide> end) {
    if (!end || sum(reinterpret_cast<uintptr_t>(memory), *end) > most)
        return false;
    return *end <= bytes ? Verdict(true) : std::nullopt;
}

class Size : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        for (cl_mem &guard : guards) {
            guard = memory(0);
            target = &guard == guards.data() ? memory(0, bytes) : target;
            source_buffer = &guard == &guards[1] ? memory(0, bytes) : source_buffer;
            const cl_uchar pattern = 0x5a;
            ASSERT_EQ(clEnqueueFillBuffer(queue, guard, &pattern, 1, 0, 1024, 0, nullptr, nullptr),
                      CL_SUCCESS);
        }
        clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, nullptr);
    }

    void sweep(const std::vector<Row> &rows) {
        for (const Row &row : rows) {
            const testing::ScopedTrace trace(__FILE__, __LINE__, row.entry_point);
            Sizes honest;
            for (const Argument &argument : row.arguments)
                honest.push_back(argument.honest);
            ASSERT_EQ(row.call(honest), CL_SUCCESS);
            for (size_t i = 0; i < honest.size(); ++i)
                for (const size_t value : values) {
                    Sizes sizes = honest;
                    sizes[i] = value;
                    try_out(row, sizes);
                    for (size_t j = i + 1; j < honest.size(); ++j)
                        for (const size_t other : values) {
                            sizes[j] = other;
                            try_out(row, sizes);
                            sizes[j] = honest[j];
                        }
                }
            ASSERT_EQ(clFinish(queue), CL_SUCCESS);
            expect_guards_untouched();
        }
    }

    void try_out(const Row &row, const Sizes &sizes) {
        const Verdict expected = row.expected(sizes);
        if (!expected)
            return;
        const cl_int code = row.call(sizes);
        if ((code == CL_SUCCESS) == *expected)
            return;
        std::string text;
        for (size_t i = 0; i < sizes.size(); ++i)
            text += std::string(" ") + row.arguments[i].name + "=" + std::to_string(sizes[i]);
        ADD_FAILURE() << row.entry_point << " gives " << code << " for" << text;
    }

    void expect_guards_untouched() {
        for (const cl_mem guard : guards) {
            std::vector<unsigned char> found(1024);
            ASSERT_EQ(clEnqueueReadBuffer(queue, guard, CL_TRUE, 0, 1024, found.data(), 0, nullptr,
                                          nullptr),
                      CL_SUCCESS);
            EXPECT_EQ(std::ranges::count(found, 0x5a), 1024);
        }
    }

    Verdict allocation(size_t size) const {
        return size == 0 || size > largest ? Verdict(false)
               : size <= bytes             ? Verdict(true)
                                           : std::nullopt;
    }

    static constexpr size_t bytes = 1024;
    std::array<cl_mem, 3> guards{};
    cl_mem target = nullptr, source_buffer = nullptr;
    cl_ulong largest = 0;
};

} // namespace rivulet::test
