// SPDX-License-Identifier: Apache-2.0
// The built-in functions on the device, through OpenCL: every math function's scalar results
// against MPFR, its vector forms against the scalar ones, and the kernels of self_check.cl.
// RVL_WIDTHS names the vector widths; RVL_POINTS the points per function.
#include "compiler/library/test/device.h"
#include "compiler/library/test/reference.h"
#include "compiler/library/test/subject.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

namespace rivulet::library {
namespace {

// ---- self_check.cl ----

TEST_F(Device, HoldsWhatSelfCheckExpects) {
    std::ifstream file(RVL_SELF_CHECK);
    ASSERT_TRUE(file) << RVL_SELF_CHECK;
    std::stringstream source;
    source << file.rdbuf();
    auto program = build(source.str());
    std::vector<cl::Kernel> kernels;
    program.createKernels(&kernels);
    EXPECT_GE(kernels.size(), 7u);
    for (auto &kernel : kernels) {
        std::vector<int> failures(32);
        auto memory = buffer(failures);
        kernel.setArg(0, memory);
        kernel.setArg(1, 0);
        queue.enqueueNDRangeKernel(kernel, {}, 1);
        queue.enqueueReadBuffer(memory, CL_TRUE, 0, failures.size() * sizeof(int), failures.data());
        std::vector<int> lines(failures.begin() + 1, failures.begin() + 1 + failures[0]);
        EXPECT_THAT(lines, testing::IsEmpty()) << kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
    }
}

// ---- accuracy ----

template <typename T> constexpr const char *type_name = sizeof(T) == 4 ? "float" : "double";

int points() {
    const char *wanted = std::getenv("RVL_POINTS");
    return wanted ? std::atoi(wanted) : 10000;
}
std::vector<int> widths() {
    const char *wanted = std::getenv("RVL_WIDTHS");
    std::istringstream text(wanted ? wanted : "1 4");
    return {std::istream_iterator<int>(text), {}};
}

// A kernel per function: out[i] = f(x[i], y[i]) on vectors of `width` components.
template <typename T> std::string source_of_all(int width) {
    std::string source, suffix = width == 1 ? "" : std::to_string(width);
    auto access = [&](std::string_view name) {
        return width == 1 ? fmt::format("{}[i]", name) : fmt::format("vload{}(i, {})", width, name);
    };
    for (auto &subject : subjects<T>()) {
        std::string call = fmt::format("{}({}{})", subject.name, access("x"),
                                       subject.two        ? ", " + access("y")
                                       : subject.with_int ? ", " + access("n")
                                                          : "");
        source += fmt::format("kernel void test_{}(global const {t} *x, global const {t} *y, "
                              "global const int *n, global {t} *out) {{\n"
                              "    size_t i = get_global_id(0);\n",
                              subject.name, fmt::arg("t", type_name<T>));
        source += width == 1 ? fmt::format("    out[i] = {};\n}}\n", call)
                             : fmt::format("    vstore{}({}, i, out);\n}}\n", width, call);
    }
    return source;
}

template <typename T> struct Inputs {
    std::vector<T> x, y;
    std::vector<int> n;
};
template <typename T> Inputs<T> inputs_for(const Subject<T> &subject, std::size_t count) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    std::mt19937_64 random(20121114);
    std::uniform_real_distribution<T> range(static_cast<T>(subject.low),
                                            static_cast<T>(subject.high));
    auto value = [&] {
        return random() % 2 ? range(random) : std::bit_cast<T>(static_cast<Bits>(random()));
    };
    Inputs<T> inputs;
    for (std::size_t i = 0; i < count; ++i) {
        inputs.x.push_back(value());
        inputs.y.push_back(value());
        inputs.n.push_back(static_cast<int>(random() % 200) - 100);
    }
    // Then what is special, each with each, and every exponent.
    using Limits = std::numeric_limits<T>;
    const T special[] = {0,
                         1,
                         2,
                         T(0.5),
                         Limits::infinity(),
                         Limits::quiet_NaN(),
                         Limits::max(),
                         Limits::min(),
                         Limits::denorm_min(),
                         Limits::epsilon()};
    std::size_t at = 0;
    auto put = [&](T x, T y) {
        if (at < count)
            inputs.x[at] = x, inputs.y[at++] = y;
    };
    for (T x : special)
        for (T y : special)
            put(x, y), put(-x, y), put(x, -y), put(-x, -y);
    for (int e = Limits::min_exponent - Limits::digits; e < Limits::max_exponent; ++e)
        put(std::ldexp(T(at % 2 ? 1.3 : -1.7), e), T(1.1));
    return inputs;
}

class Accuracy : public Device {
protected:
    template <typename T>
    std::vector<T> run(cl::Program &program, const Subject<T> &subject, Inputs<T> &inputs,
                       int width) {
        std::vector<T> out(inputs.x.size());
        cl::Kernel kernel(program, fmt::format("test_{}", subject.name).c_str());
        cl::Buffer memory[] = {buffer(inputs.x), buffer(inputs.y), buffer(inputs.n), buffer(out)};
        for (cl_uint i = 0; i < 4; ++i)
            kernel.setArg(i, memory[i]);
        queue.enqueueNDRangeKernel(kernel, {}, out.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(memory[3], CL_TRUE, 0, out.size() * sizeof(T), out.data());
        return out;
    }

    template <typename T>
    void expect_accurate(const Subject<T> &subject, const Inputs<T> &in,
                         const std::vector<T> &out) {
        Number exact, x, y;
        double worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            mpfr_set_d(x, in.x[i], MPFR_RNDN);
            mpfr_set_d(y, subject.with_int ? in.n[i] : in.y[i], MPFR_RNDN);
            reference(subject.name)(exact, x, y);
            double error = error_in_ulps(out[i], exact, format_of<T>);
            if (error > worst)
                worst = error, at = i;
        }
        EXPECT_LE(worst, subject.ulps)
            << fmt::format("{} of {}: ({:a}, {:a}, {}) = {:a}", subject.name, type_name<T>,
                           in.x[at], in.y[at], in.n[at], out[at]);
    }

    template <typename T> void check_all() {
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        auto count = static_cast<std::size_t>(points()) / 48 * 48; // whole vectors of any width
        std::map<std::string, std::vector<T>> scalar;
        for (int width : widths()) {
            auto program = build(source_of_all<T>(width));
            for (auto &subject : subjects<T>()) {
                auto inputs = inputs_for(subject, count);
                auto out = run(program, subject, inputs, width);
                auto [known, first] = scalar.try_emplace(subject.name, out);
                if (first)
                    expect_accurate(subject, inputs, out);
                for (std::size_t i = 0; i < count; ++i)
                    ASSERT_TRUE(std::bit_cast<Bits>(out[i]) ==
                                    std::bit_cast<Bits>(known->second[i]) ||
                                (out[i] != out[i] && known->second[i] != known->second[i]))
                        << fmt::format("{} of {}{}: ({:a}, {:a}, {}) = {:a}, by other width {:a}",
                                       subject.name, type_name<T>, width, inputs.x[i], inputs.y[i],
                                       inputs.n[i], out[i], known->second[i]);
            }
        }
    }
};

// All halves through six functions: they are float's, rounded.
TEST_F(Accuracy, HalfOnDevice) {
    if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_fp16") == std::string::npos)
        GTEST_SKIP() << "no half";
    constexpr Format half_format = {11, -13, 16};
    std::vector<std::uint16_t> in(0x10000);
    std::iota(in.begin(), in.end(), std::uint16_t{0});
    auto x = buffer(in);
    auto number = [](std::uint16_t bits) { return double(std::bit_cast<_Float16>(bits)); };
    for (const char *name : {"sin", "exp", "log", "sqrt", "rsqrt", "cbrt"}) {
        auto program = build(fmt::format("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                         "kernel void test(global const half *x, global half *o) {{"
                                         "    size_t i = get_global_id(0);"
                                         "    o[i] = {0}(x[i]);"
                                         "}}",
                                         name));
        std::vector<std::uint16_t> out(in.size());
        auto memory = buffer(out);
        cl::Kernel kernel(program, "test");
        kernel.setArg(0, x);
        kernel.setArg(1, memory);
        queue.enqueueNDRangeKernel(kernel, {}, in.size());
        queue.enqueueReadBuffer(memory, CL_TRUE, 0, 2 * out.size(), out.data());
        Number exact, x_exact, none;
        for (std::size_t i = 0; i < in.size(); ++i) {
            mpfr_set_d(x_exact, number(in[i]), MPFR_RNDN);
            reference(name)(exact, x_exact, none);
            ASSERT_LE(error_in_ulps(number(out[i]), exact, half_format), 0.505)
                << name << "(" << number(in[i]) << ") = " << number(out[i]);
        }
    }
}

TEST_F(Accuracy, FloatOnDevice) { check_all<float>(); }
TEST_F(Accuracy, DoubleOnDevice) { check_all<double>(); }

} // namespace
} // namespace rivulet::library
