// SPDX-License-Identifier: Apache-2.0
// docs/cl_rivulet_subgroup_matrix_multiply_accumulate.md on the device: products of integers wrap,
// those of floats are exact where float holds all partial sums, and close elsewhere.
#include "compiler/library/test/device.h"

#include <CL/cl_ext.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace rivulet::library {
namespace {

constexpr std::size_t groups = 4;

struct Form {
    const char *name;
    std::size_t depth; // K
    bool a_is_signed, b_is_signed;
};

class SubGroupMatrices : public Device {
protected:
    void SetUp() override {
        if (device.getInfo<CL_DEVICE_EXTENSIONS>().find(
                "cl_rivulet_subgroup_matrix_multiply_accumulate") == std::string::npos)
            GTEST_SKIP() << "no registers for floats";
    }
    std::mt19937 random{static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed())};

    /// The sizes of sub-groups that the functions exist for, of those that the device has.
    std::vector<std::size_t> sizes() {
        std::vector<std::size_t> list(16);
        std::size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                                  list.size() * sizeof(std::size_t), list.data(), &bytes),
                  CL_SUCCESS);
        list.resize(bytes / sizeof(std::size_t));
        std::erase_if(list, [](std::size_t size) { return size != 8 && size != 16; });
        return list;
    }

    /// a × b + c for matrices of `groups` sub-groups, as the elements lie in their work-items.
    template <typename R, typename Element>
    std::vector<R> multiply(const Form &form, std::size_t size, std::size_t rows,
                            std::vector<Element> &a, std::vector<Element> &b, std::vector<R> c) {
        const std::string n = rows == 1 ? "" : std::to_string(rows);
        const std::string result = std::is_same_v<R, float> ? "float" : "int";
        cl::Program program = build(fmt::format(
            R"(__attribute__((intel_reqd_sub_group_size({0})))
kernel void test(global {1}{2}{3} *a, global {4}int8 *b, global {5}{3} *c) {{
    size_t i = get_global_id(0);
    c[i] = intel_sub_group_{6}_matrix_mad_k{7}(a[i], b[i], c[i]);
}})",
            size, form.a_is_signed ? "" : "u", size == 8 ? "int" : "short", n,
            form.b_is_signed ? "" : "u", result, form.name, form.depth));
        cl::Kernel kernel(program, "test");
        auto first = buffer(a), second = buffer(b), sum = buffer(c);
        kernel.setArg(0, first);
        kernel.setArg(1, second);
        kernel.setArg(2, sum);
        queue.enqueueNDRangeKernel(kernel, {}, groups * size, 2 * size);
        queue.enqueueReadBuffer(sum, CL_TRUE, 0, c.size() * sizeof(R), c.data());
        return c;
    }

    /// `check`(result, sum, products) for each element of the result; products are pairs.
    template <typename R, typename Element, typename Value, typename Check>
    void each(const Form &form, const std::vector<Element> &values, Value value, Check check) {
        SCOPED_TRACE(fmt::format("seed {}", testing::UnitTest::GetInstance()->random_seed()));
        const auto some = [&](std::size_t count) {
            std::vector<Element> chosen(count);
            for (Element &one : chosen)
                one = values[random() % values.size()];
            return chosen;
        };
        for (const std::size_t size : sizes())
            for (const int width : widths()) {
                const auto rows = static_cast<std::size_t>(width);
                SCOPED_TRACE(fmt::format("{}, {} rows of sub-groups of {}", form.name, rows, size));
                const std::size_t share = form.depth / size; // of a work-item, in a row of a
                auto a = some(groups * rows * form.depth), b = some(groups * size * form.depth);
                std::vector<R> c(groups * rows * size);
                for (R &one : c)
                    one = static_cast<R>(static_cast<std::int32_t>(random()) >> 16);
                const auto results = multiply(form, size, rows, a, b, c);
                for (std::size_t group = 0; group < groups; ++group)
                    for (std::size_t row = 0; row < rows; ++row)
                        for (std::size_t column = 0; column < size; ++column) {
                            std::vector<std::pair<decltype(value(Element{}, true)),
                                                  decltype(value(Element{}, true))>>
                                products;
                            for (std::size_t k = 0; k < form.depth; ++k) {
                                const std::size_t item = group * size + k / share;
                                products.emplace_back(
                                    value(a[(item * rows + row) * share + k % share],
                                          form.a_is_signed),
                                    value(b[(group * size + column) * form.depth + k],
                                          form.b_is_signed));
                            }
                            const std::size_t at = (group * size + column) * rows + row;
                            check(results[at], c[at], products);
                        }
            }
    }
};

TEST_F(SubGroupMatrices, OfBytesAreMultipliedExactly) {
    std::vector<std::uint8_t> bytes(256);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i);
    const auto value = [](std::uint8_t byte, bool is_signed) {
        return is_signed ? static_cast<std::int8_t>(byte) : static_cast<int>(byte);
    };
    for (const Form &form : {Form{"i8_i8", 32, true, true}, Form{"i8_u8", 32, true, false},
                             Form{"u8_i8", 32, false, true}, Form{"u8_u8", 32, false, false}})
        each<std::int32_t>(form, bytes, value,
                           [](std::int32_t result, std::int32_t sum, const auto &products) {
                               for (const auto &[x, y] : products)
                                   sum += x * y;
                               ASSERT_EQ(result, sum);
                           });
}

TEST_F(SubGroupMatrices, OfFloatsAreExactWhereFloatHoldsTheSums) {
    const auto bfloat = [](std::uint16_t bits, bool) {
        return std::bit_cast<float>(std::uint32_t{bits} << 16);
    };
    const auto half = [](std::uint16_t bits, bool) {
        return static_cast<float>(std::bit_cast<_Float16>(bits));
    };
    std::vector<std::uint16_t> small_bfloats, small_halves;
    for (int i = -64; i <= 64; ++i) {
        const float x = static_cast<float>(i) / 8;
        small_bfloats.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16));
        small_halves.push_back(std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)));
    }
    const auto check = [](float result, float sum, const auto &products) {
        for (const auto &[x, y] : products)
            sum += x * y;
        ASSERT_EQ(result, sum);
    };
    each<float>({"bf16_bf16", 16, true, true}, small_bfloats, bfloat, check);
    each<float>({"f16_f16", 16, true, true}, small_halves, half, check);
}

TEST_F(SubGroupMatrices, OfFloatsAreWithinTheErrorOfTheirSums) {
    std::vector<std::uint16_t> bfloats, halves;
    for (int i = 0; i < 1000; ++i) {
        const float x = std::ldexp(static_cast<float>(static_cast<std::int32_t>(random())),
                                   static_cast<int>(random() % 8) - 30);
        bfloats.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16));
        halves.push_back(std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)));
    }
    const auto check = [](float result, float sum, const auto &products) {
        double exact = sum, size = std::fabs(sum);
        for (const auto &[x, y] : products) {
            exact += static_cast<double>(x) * static_cast<double>(y);
            size += std::fabs(static_cast<double>(x) * static_cast<double>(y));
        }
        ASSERT_NEAR(result, exact, size * 17 * 0x1p-24);
    };
    each<float>(
        {"bf16_bf16", 16, true, true}, bfloats,
        [](std::uint16_t bits, bool) { return std::bit_cast<float>(std::uint32_t{bits} << 16); },
        check);
    each<float>(
        {"f16_f16", 16, true, true}, halves,
        [](std::uint16_t bits, bool) { return static_cast<float>(std::bit_cast<_Float16>(bits)); },
        check);
}

} // namespace
} // namespace rivulet::library
