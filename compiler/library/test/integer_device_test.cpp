// SPDX-License-Identifier: Apache-2.0
// 6.12.3 on the device, for the vector widths that RVL_WIDTHS names: bit by bit as by the library
// compiled for this machine, which integer_test.cpp holds to 128-bit arithmetic.
#include "compiler/library/test/device.h"
#include "compiler/library/test/integer.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <type_traits>

DECLARE_INTEGER_FUNCTIONS(char, uchar)
DECLARE_INTEGER_FUNCTIONS(uchar, uchar)
DECLARE_INTEGER_FUNCTIONS(short, ushort)
DECLARE_INTEGER_FUNCTIONS(ushort, ushort)
DECLARE_INTEGER_FUNCTIONS(int, uint)
DECLARE_INTEGER_FUNCTIONS(uint, uint)
DECLARE_INTEGER_FUNCTIONS(long, ulong)
DECLARE_INTEGER_FUNCTIONS(ulong, ulong)

namespace rivulet::library {
namespace {

template <typename T> struct Call {
    const char *text; // in OpenCL C
    T (*here)(T a, T b, T c);
};
template <typename T> constexpr auto calls() {
#define CALL(...)                                                                                  \
    Call<T> {                                                                                      \
        #__VA_ARGS__, [](T a, T b, T c) {                                                          \
            (void)a, (void)b, (void)c;                                                             \
            return T(::__VA_ARGS__);                                                               \
        }                                                                                          \
    }
    return std::array{CALL(add_sat(a, b)),
                      CALL(sub_sat(a, b)),
                      CALL(hadd(a, b)),
                      CALL(rhadd(a, b)),
                      CALL(abs_diff(a, b)),
                      CALL(clz(a)),
                      CALL(ctz(a)),
                      CALL(popcount(a)),
                      CALL(mul_hi(a, b)),
                      CALL(mad_hi(a, b, c)),
                      CALL(mad_sat(a, b, c)),
                      CALL(rotate(a, b)),
                      CALL(max(a, b)),
                      CALL(min(a, b)),
                      CALL(clamp(a, min(b, c), max(b, c))),
                      CALL(bit_reverse(a)),
                      CALL(mul_hi(mul_hi(a, b), c))};
#undef CALL
}

class IntegerFunctions : public Device {
protected:
    template <typename T> void check(const char *type) {
        constexpr std::size_t count = 4800;
        const auto a = numbers<T>(count, 1), b = numbers<T>(count, 2), c = numbers<T>(count, 3);
        for (int width : widths()) {
            auto out = run<T>(type, width, a, b, c);
            const T *result = out.data();
            for (auto &call : calls<T>())
                for (std::size_t i = 0; i < count; ++i)
                    ASSERT_EQ(*result++, call.here(a[i], b[i], c[i]))
                        << call.text << " of " << type << width << ": " << +a[i] << ", " << +b[i]
                        << ", " << +c[i];
        }
    }

private:
    // Numbers of every length, and the ends of the range.
    template <typename T> static std::vector<T> numbers(std::size_t count, unsigned seed) {
        std::mt19937_64 random(seed);
        std::vector<T> result;
        while (result.size() < count) {
            const T ends[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0)};
            const auto number =
                static_cast<T>(static_cast<T>(random()) >> random() % (8 * sizeof(T)));
            result.push_back(random() % 8 ? number
                                          : static_cast<T>(ends[random() % 3] + random() % 2));
        }
        return result;
    }

    template <typename T>
    std::vector<T> run(const char *type, int width, std::vector<T> a, std::vector<T> b,
                       std::vector<T> c) {
        const std::string n = width == 1 ? "" : std::to_string(width);
        std::string source = fmt::format(
            "kernel void test(global const {0} *x, global const {0} *y, global const {0} *z,\n"
            "                 global {0} *out, int n) {{\n"
            "    size_t i = get_global_id(0);\n"
            "    {0}{1} a = {2}(i, x), b = {2}(i, y), c = {2}(i, z);\n",
            type, n, width == 1 ? "AT" : "vload" + n);
        for (auto &call : calls<T>())
            source += fmt::format("    {1}(as_{0}{2}({3}), i, out), out += n;\n", type,
                                  width == 1 ? "PUT" : "vstore" + n, n, call.text);
        auto program =
            build("#define AT(i, p) p[i]\n#define PUT(v, i, p) p[i] = v\n" + source + "}\n");
        std::vector<T> out(a.size() * calls<T>().size());
        cl::Kernel kernel(program, "test");
        cl::Buffer memory[] = {buffer(a), buffer(b), buffer(c), buffer(out)};
        for (cl_uint i = 0; i < std::size(memory); ++i)
            kernel.setArg(i, memory[i]);
        kernel.setArg(4, static_cast<int>(a.size()));
        queue.enqueueNDRangeKernel(kernel, {}, a.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(memory[3], CL_TRUE, 0, out.size() * sizeof(T), out.data());
        return out;
    }
};

TEST_F(IntegerFunctions, OfEveryTypeOnDevice) {
    check<char>("char");
    check<uchar>("uchar");
    check<short>("short");
    check<ushort>("ushort");
    check<int>("int");
    check<uint>("uint");
    check<long>("long");
    check<ulong>("ulong");
}

// cl_khr_integer_dot_product: random bytes and the extreme ones, two vectors and a vector with a
// word that all work-items share, with and without a sum.
class DotProducts : public Device {
protected:
    static constexpr std::size_t count = 1000;
    static constexpr cl_uint shared = 0x80ff7f01;

    static std::int64_t byte(cl_uint word, int place, bool is_signed) {
        const cl_uint value = word >> 8 * place & 0xff;
        return is_signed ? std::int8_t(value) : std::int64_t(value);
    }

    static std::vector<cl_uint> words(unsigned seed) {
        std::vector<cl_uint> some{0x80808080, 0xffffffff, 0x7f7f7f7f, 0, 0x80ff7f01, 0x80808080};
        std::mt19937 random(seed);
        while (some.size() < count)
            some.push_back(cl_uint(random()));
        return some;
    }

    void check(const std::string &signs, const std::string &first, const std::string &second,
               const std::string &type) {
        const auto source = fmt::format(
            "#define V(T, x) as_##T##4(x)\n"
            "kernel void test(global const uint *x, global const uint *y, uint w, int n,\n"
            "                 global {3} *o) {{\n"
            "    size_t i = get_global_id(0); uint a = x[i], b = y[i]; {3} c = ({3})(a ^ b), s = "
            "c;\n"
            "    o[i] = dot_4x8packed_{0}_{3}(a, b); o += n;\n"
            "    o[i] = dot_4x8packed_{0}_{3}(a, w); o += n;\n"
            "    o[i] = dot_4x8packed_{0}_{3}(w, b); o += n;\n"
            "    o[i] = dot(V({1}, a), V({2}, b)); o += n;\n"
            "    for (int k = 0; k < 3; ++k) s += dot_4x8packed_{0}_{3}(a, w + k);\n"
            "    o[i] = s; o += n;\n"
            "    o[i] = dot_acc_sat_4x8packed_{0}_{3}(a, b, c); o += n;\n"
            "    o[i] = dot_acc_sat(V({1}, a), V({2}, b), c);\n"
            "}}\n",
            signs, first, second, type);
        auto a = words(1);
        auto b = words(2);
        std::rotate(b.begin() + 1, b.begin() + 5, b.begin() + 6);
        std::vector<cl_uint> out(7 * count);
        auto program = build(source);
        cl::Kernel kernel(program, "test");
        cl::Buffer memory[] = {buffer(a), buffer(b), buffer(out)};
        kernel.setArg(0, memory[0]);
        kernel.setArg(1, memory[1]);
        kernel.setArg(2, shared);
        kernel.setArg(3, static_cast<int>(count));
        kernel.setArg(4, memory[2]);
        queue.enqueueNDRangeKernel(kernel, {}, count);
        queue.enqueueReadBuffer(memory[2], CL_TRUE, 0, out.size() * sizeof(cl_uint), out.data());

        auto product = [&](cl_uint x, cl_uint y) {
            std::int64_t sum = 0;
            for (int place = 0; place < 4; ++place)
                sum += byte(x, place, first == "char") * byte(y, place, second == "char");
            return sum;
        };
        const bool is_signed = type == "int";
        for (std::size_t i = 0; i < count; ++i) {
            const cl_uint c = a[i] ^ b[i];
            const std::int64_t dot = product(a[i], b[i]);
            const std::int64_t sum = dot + (is_signed ? std::int64_t(cl_int(c)) : std::int64_t(c));
            const std::int64_t saturated = is_signed
                                               ? std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX)
                                               : std::min<std::int64_t>(sum, UINT32_MAX);
            const std::int64_t loop =
                product(a[i], shared) + product(a[i], shared + 1) + product(a[i], shared + 2) + c;
            const std::int64_t right[] = {
                dot, product(a[i], shared), product(shared, b[i]), dot, loop, saturated, saturated};
            for (std::size_t k = 0; k < std::size(right); ++k)
                ASSERT_EQ(out[k * count + i], cl_uint(right[k]))
                    << signs << ", result " << k << " of " << a[i] << ", " << b[i];
        }
    }
};

TEST_F(DotProducts, OfBytesAreExactOnDevice) {
    check("uu", "uchar", "uchar", "uint");
    check("ss", "char", "char", "int");
    check("us", "uchar", "char", "int");
    check("su", "char", "uchar", "int");
}

} // namespace
} // namespace rivulet::library
