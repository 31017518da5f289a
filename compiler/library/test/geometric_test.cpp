// SPDX-License-Identifier: Apache-2.0
// 6.12.5 on the device, for every type and width, against MPFR. The limits are those of the full
// profile of OpenCL 3.0 (7.4): in units of the last place, for dot and cross in units of
// max² epsilon, max being the largest component there is.
#include "compiler/library/test/device.h"
#include "compiler/library/test/measure.h"

namespace rivulet::library {
namespace {

struct Limit { // first + each * components
    double first, each;
    double of(int components) const { return first + each * components; }
};
struct Geometric {
    const char *name;
    int arguments;
    Limit half, float_, double_; // allowed
};
constexpr Geometric functions[] = {
    {"cross", 2, {3, 0}, {3, 0}, {3, 0}},
    {"distance", 2, {0, 2}, {2.5, 2}, {5.5, 2}},
    {"dot", 2, {-1, 2}, {-1, 2}, {-1, 2}},
    {"fast_distance", 2, {}, {8191.5, 2}, {}},
    {"fast_length", 1, {}, {8191.5, 1}, {}},
    {"fast_normalize", 1, {}, {8192, 1}, {}},
    {"length", 1, {0.25, 0.5}, {2.75, 0.5}, {5.5, 1}},
    {"normalize", 1, {1, 1}, {2, 1}, {4.5, 1}},
};

template <typename T> Limit limit_of(const Geometric &function) {
    return sizeof(T) == 2 ? function.half : sizeof(T) == 4 ? function.float_ : function.double_;
}
bool is_product(std::string_view name) { return name == "dot" || name == "cross"; }

// The exact result's components; those of dot, length and distance are all alike.
class Exact {
public:
    explicit Exact(int components) : count_(components) {}
    template <typename T> void compute(std::string_view name, const T *a, const T *b) {
        const bool of_difference = name.ends_with("distance");
        for (int i = 0; i < count_; ++i) {
            mpfr_set_d(a_[i], static_cast<double>(a[i]), MPFR_RNDN);
            mpfr_set_d(b_[i], static_cast<double>(b[i]), MPFR_RNDN);
            if (of_difference)
                mpfr_sub(a_[i], a_[i], b_[i], MPFR_RNDN);
        }
        for (int i = 0; i < count_; ++i)
            if (name == "cross")
                cross(i);
            else if (name == "dot")
                dot(value[i], b_);
            else
                length(i, name.ends_with("normalize"));
    }
    Number value[4];

private:
    void dot(mpfr_ptr sum, Number *with) {
        mpfr_set_zero(sum, 1);
        for (int i = 0; i < count_; ++i)
            mpfr_fma(sum, a_[i], with[i], sum, MPFR_RNDN);
    }
    void cross(int i) {
        if (i == 3)
            return void(mpfr_set_zero(value[i], 1));
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        mpfr_fmms(value[i], a_[next], b_[last], a_[last], b_[next], MPFR_RNDN);
    }
    void length(int i, bool normalised) {
        dot(value[i], a_);
        mpfr_sqrt(value[i], value[i], MPFR_RNDN);
        if (normalised)
            mpfr_div(value[i], a_[i], value[i], MPFR_RNDN);
    }
    const int count_;
    Number a_[4], b_[4];
};

bool is_defined(const Geometric &function, int components) {
    return std::string_view(function.name) != "cross" || components >= 3;
}

// A kernel per function and width: NAME_WIDTH.
template <typename T> std::string source_of_all() {
    std::string source = sizeof(T) == 2 ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
    for (auto &function : functions)
        for (int n : {1, 2, 3, 4}) {
            if (limit_of<T>(function).of(n) == 0 || !is_defined(function, n))
                continue;
            const std::string call =
                std::string(function.name) + (function.arguments == 2 ? "(x, y)" : "(x)");
            source += fmt::format(
                "kernel void {name}_{n}(global const {t} *a, global const {t} *b, global {t} *out) "
                "{{\n"
                "    size_t i = get_global_id(0);\n"
                "    {t}{width} x, y, result;\n"
                "    for (int k = 0; k < {n}; ++k)\n"
                "        ((private {t} *)&x)[k] = a[i * {n} + k],\n"
                "        ((private {t} *)&y)[k] = b[i * {n} + k];\n"
                "    result = {call};\n"
                "    for (int k = 0; k < {n}; ++k)\n"
                "        out[i * {n} + k] = ((private {t} *)&result)[k];\n"
                "}}\n",
                fmt::arg("name", function.name), fmt::arg("n", n), fmt::arg("t", type_name<T>),
                fmt::arg("width", n == 1 ? "" : std::to_string(n)), fmt::arg("call", call));
        }
    return source;
}

class GeometricFunctions : public Device {
protected:
    template <typename T> void check_all() {
        auto program = build(source_of_all<T>());
        for (auto &function : functions) {
            double worst = 0, worst_limit = 1;
            for (int components : {1, 2, 3, 4}) {
                const double limit = limit_of<T>(function).of(components);
                if (limit == 0 || !is_defined(function, components))
                    continue;
                const double error = worst_error<T>(program, function, components);
                EXPECT_LE(error, limit) << function.name << " of " << type_name<T> << components;
                if (error / limit >= worst / worst_limit)
                    worst = error, worst_limit = limit;
            }
            if (limit_of<T>(function).of(4) != 0)
                report(function.name, type_name<T>, items, worst, worst_limit);
        }
    }

private:
    static inline const std::size_t items = points(2000);

    // Vectors of components of like and of very different sizes; products stay finite.
    template <typename T> static std::vector<T> numbers(std::size_t count, unsigned seed) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> fraction(-1, 1);
        const int range = sizeof(T) == 2 ? 6 : sizeof(T) == 4 ? 30 : 200;
        std::vector<T> values(count);
        for (auto &value : values)
            value = static_cast<T>(
                std::ldexp(fraction(random),
                           random() % 2 ? 2 : static_cast<int>(random() % range) - range / 2));
        return values;
    }
    template <typename T>
    double worst_error(cl::Program &program, const Geometric &function, int components) {
        const auto n = static_cast<std::size_t>(components);
        auto a = numbers<T>(n * items, 1), b = numbers<T>(n * items, 2);
        std::vector<T> out(n * items);
        cl::Buffer memory[] = {buffer(a), buffer(b), buffer(out)};
        cl::Kernel kernel(program, fmt::format("{}_{}", function.name, components).c_str());
        for (cl_uint i = 0; i < std::size(memory); ++i)
            kernel.setArg(i, memory[i]);
        queue.enqueueNDRangeKernel(kernel, {}, items);
        queue.enqueueReadBuffer(memory[2], CL_TRUE, 0, out.size() * sizeof(T), out.data());

        Exact exact(components);
        double worst = 0;
        for (std::size_t at = 0; at < out.size(); at += n) {
            exact.compute(function.name, &a[at], &b[at]);
            double largest = 0;
            for (std::size_t k = at; k < at + n; ++k)
                largest = std::max({largest, std::fabs(static_cast<double>(a[k])),
                                    std::fabs(static_cast<double>(b[k]))});
            for (std::size_t k = 0; k < n; ++k) {
                const double result = static_cast<double>(out[at + k]);
                double error = error_in_ulps(result, exact.value[k], format_of<T>);
                if (is_product(function.name) && std::isfinite(result)) {
                    mpfr_sub_d(exact.value[k], exact.value[k], result, MPFR_RNDN);
                    constexpr Format format = format_of<T>;
                    const double unit = largest * largest * std::ldexp(1, 1 - format.digits);
                    const double least = std::ldexp(1, format.smallest - format.digits);
                    error =
                        std::fabs(mpfr_get_d(exact.value[k], MPFR_RNDN)) / std::max(unit, least);
                }
                worst = std::max(worst, error);
            }
        }
        return worst;
    }
};

TEST_F(GeometricFunctions, HalfOnDevice) {
    if (!has_half())
        GTEST_SKIP() << "no half";
    check_all<half>();
}
TEST_F(GeometricFunctions, FloatOnDevice) { check_all<float>(); }
TEST_F(GeometricFunctions, DoubleOnDevice) { check_all<double>(); }

} // namespace
} // namespace rivulet::library
