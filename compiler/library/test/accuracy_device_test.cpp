// SPDX-License-Identifier: Apache-2.0
// The built-in functions on the device, through OpenCL: every function's results for the first
// width against MPFR and, bit by bit, against the library compiled for this machine; those for the
// other widths against the first's. RVL_WIDTHS names the vector widths; RVL_POINTS the points per
// function.
#include "compiler/library/test/device.h"
#include "compiler/library/test/measure.h"

#include <limits>
#include <map>
#include <numbers>

namespace rivulet::library {
namespace {

// A kernel per function: out[i] = f(x[i], y[i], z[i]) on vectors of `width` components.
template <typename T> std::string source_of_all(int width) {
    std::string source = text_of(RVL_PARTS);
    auto access = [&](std::string_view name) {
        return width == 1 ? fmt::format("{}[i]", name) : fmt::format("vload{}(i, {})", width, name);
    };
    for (auto &subject : subjects<T>()) {
        std::string arguments = access("x");
        if (subject.two || subject.three)
            arguments += ", " + access("y");
        if (subject.three)
            arguments += ", " + access("z");
        if (subject.with_int)
            arguments += ", " + access("n");
        std::string call = fmt::format("{}({})", subject.name, arguments);
        source += fmt::format("kernel void test_{}(global const {t} *x, global const {t} *y, "
                              "global const {t} *z, global const int *n, global {t} *out) {{\n"
                              "    size_t i = get_global_id(0);\n",
                              subject.name, fmt::arg("t", type_name<T>));
        source += width == 1 ? fmt::format("    out[i] = {};\n}}\n", call)
                             : fmt::format("    vstore{}({}, i, out);\n}}\n", width, call);
    }
    return source;
}

class Accuracy : public Device {
protected:
    template <typename T>
    std::vector<T> run(cl::Program &program, const Subject<T> &subject, Inputs<T> &inputs,
                       int width) {
        std::vector<T> out(inputs.x.size());
        cl::Kernel kernel(program, fmt::format("test_{}", subject.name).c_str());
        cl::Buffer memory[] = {buffer(inputs.x), buffer(inputs.y), buffer(inputs.z),
                               buffer(inputs.n), buffer(out)};
        for (cl_uint i = 0; i < std::size(memory); ++i)
            kernel.setArg(i, memory[i]);
        queue.enqueueNDRangeKernel(kernel, {}, out.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(memory[4], CL_TRUE, 0, out.size() * sizeof(T), out.data());
        return out;
    }

    template <typename T> void check_all() {
        std::map<std::string_view, std::vector<T>> first;
        for (int width : widths()) {
            auto program = build(source_of_all<T>(width));
            for (auto &subject : subjects<T>()) {
                if (!is_wanted(subject.name))
                    continue;
                auto inputs = inputs_for(subject, count(subject));
                auto out = run(program, subject, inputs, width);
                auto [known, is_first] = first.try_emplace(subject.name, out);
                if (!is_first) {
                    expect_identical(subject, inputs, out, known->second, "by other width");
                    continue;
                }
                expect_accurate(subject, inputs, out);
                // x86 has no fma of halves: there it is float's, rounded.
                if (sizeof(T) > 2 || !subject.three)
                    expect_identical(subject, inputs, out, results_here(subject, inputs),
                                     "by the library compiled for this machine");
            }
        }
    }

private:
    // Groups are whole vectors of any width; six functions of half take every value there is.
    template <typename T> static std::size_t count(const Subject<T> &subject) {
        constexpr std::string_view every[] = {"sin", "exp", "log", "sqrt", "rsqrt", "cbrt"};
        std::size_t wanted = points(10000);
        if (sizeof(T) == 2 && std::ranges::find(every, subject.name) != std::end(every))
            wanted = 0x10000;
        if (sizeof(T) == 2 && subject.one)
            wanted = std::min<std::size_t>(wanted, 0x10000);
        return (wanted + 47) / 48 * 48;
    }
};

// The limits of table 7.4 of OpenCL C 3.0 under -cl-unsafe-math-optimizations.
struct Relaxed {
    double ulps;
    double absolute = 0;
    double domain = std::numeric_limits<double>::infinity(); // magnitudes of arguments
};
Relaxed relaxed(const Subject<float> &subject, double x) {
    auto is = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, subject.name) != names.end();
    };
    if (is({"cos", "sin", "sincos_cosine", "sincos_sine"}))
        return {.ulps = 0, .absolute = 0x1p-11, .domain = std::numbers::pi};
    if (is({"log", "log2", "log10"}))
        return {.ulps = 3, .absolute = 0.5 <= x && x <= 2 ? 0x1p-21 : 0};
    if (is({"pow", "pown", "powr", "rootn", "tan"}))
        return {.ulps = 8192}; // as derived from others: as for half_ functions
    return {.ulps = subject.ulps};
}

// Arguments and results are finite; those that aren't normal may be 0.
TEST_F(Accuracy, RelaxedOnDevice) {
    auto program = build(source_of_all<float>(1), "-cl-std=CL3.0 -cl-fast-relaxed-math");
    for (auto subject : subjects<float>()) {
        subject.limited = true;
        const Relaxed everywhere = relaxed(subject, 0);
        subject.low = std::max(subject.low, -everywhere.domain);
        subject.high = std::min(subject.high, everywhere.domain);
        auto inputs = inputs_for(subject, 2000);
        auto out = run(program, subject, inputs, 1);
        Exact<float> exact(subject);
        unsigned compared = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const double error = exact.error(inputs, i, out[i]);
            const double wanted = exact.value(), size = std::fabs(wanted);
            if (!(size <= std::numeric_limits<float>::max()) ||
                (size < std::numeric_limits<float>::min() && out[i] == 0))
                continue;
            ++compared;
            const Relaxed allowed = relaxed(subject, inputs.x[i]);
            EXPECT_TRUE(error <= allowed.ulps || std::fabs(out[i] - wanted) <= allowed.absolute)
                << describe(subject, inputs, i, out[i])
                << fmt::format(", exactly {:a}: {} ULPs of {}", wanted, error, allowed.ulps);
        }
        if (std::string_view(subject.name) != "nan_any")
            EXPECT_GE(compared, 250u) << subject.name;
    }
}

TEST_F(Accuracy, HalfOnDevice) {
    if (!has_half())
        GTEST_SKIP() << "no half";
    check_all<half>();
}
TEST_F(Accuracy, FloatOnDevice) { check_all<float>(); }
TEST_F(Accuracy, DoubleOnDevice) { check_all<double>(); }

} // namespace
} // namespace rivulet::library
