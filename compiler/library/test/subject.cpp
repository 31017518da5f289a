// SPDX-License-Identifier: Apache-2.0
// No header that declares the C library's functions may be included here: the built-ins' names
// mangle in C++ as clang mangles OpenCL C's.
#include "compiler/library/test/subject.h"

#include "compiler/library/test/functions.h"

using rivulet::library::half;

#define DECLARE_1(name, ...)                                                                       \
    half name(half);                                                                               \
    float name(float);                                                                             \
    double name(double);
#define DECLARE_2(name, ...)                                                                       \
    half name(half, half);                                                                         \
    float name(float, float);                                                                      \
    double name(double, double);
#define DECLARE_3(name, ...)                                                                       \
    half name(half, half, half);                                                                   \
    float name(float, float, float);                                                               \
    double name(double, double, double);
#define DECLARE_INT(name, ...)                                                                     \
    half name(half, int);                                                                          \
    float name(float, int);                                                                        \
    double name(double, int);
#define DECLARE_FLOAT(name, ...) float name(float);
#define DECLARE_FLOAT_2(name, ...) float name(float, float);
#define DECLARE_HALF_AND_NATIVE_1(name, ...)                                                       \
    float half_##name(float);                                                                      \
    float native_##name(float);
#define DECLARE_HALF_AND_NATIVE_2(name, ...)                                                       \
    float half_##name(float, float);                                                               \
    float native_##name(float, float);
RVL_FUNCTIONS_1(DECLARE_1)
RVL_FUNCTIONS_2(DECLARE_2)
RVL_FUNCTIONS_3(DECLARE_3)
RVL_FUNCTIONS_INT(DECLARE_INT)
RVL_LIMITED_1(DECLARE_1)
RVL_LIMITED_2(DECLARE_2)
RVL_LIMITED_3(DECLARE_3)
RVL_HALF_AND_NATIVE_1(DECLARE_HALF_AND_NATIVE_1)
RVL_HALF_AND_NATIVE_2(DECLARE_HALF_AND_NATIVE_2)
RVL_HALF_1(DECLARE_FLOAT)
RVL_HALF_2(DECLARE_FLOAT_2)
RVL_HALF_LIMITED(DECLARE_FLOAT)
RVL_NATIVE_LIMITED(DECLARE_FLOAT)
RVL_NATIVE_LIMITED_2(DECLARE_FLOAT_2)

namespace rivulet::library {

#define ROW_1(function, ...) {#function, __VA_ARGS__, ::function},
#define ROW_2(function, ...) {#function, __VA_ARGS__, nullptr, ::function},
#define ROW_3(function, ...) {#function, __VA_ARGS__, nullptr, nullptr, ::function},
#define ROW_INT(function, ...) {#function, __VA_ARGS__, nullptr, nullptr, nullptr, ::function},
#define LIMITED_1(function, ...)                                                                   \
    {#function, __VA_ARGS__, ::function, nullptr, nullptr, nullptr, true},
#define LIMITED_2(function, ...)                                                                   \
    {#function, __VA_ARGS__, nullptr, ::function, nullptr, nullptr, true},
#define LIMITED_3(function, ...)                                                                   \
    {#function, __VA_ARGS__, nullptr, nullptr, ::function, nullptr, true},
#define EVERY_TYPE                                                                                 \
    RVL_FUNCTIONS_1(ROW_1)                                                                         \
    RVL_FUNCTIONS_2(ROW_2)                                                                         \
    RVL_FUNCTIONS_3(ROW_3)                                                                         \
    RVL_FUNCTIONS_INT(ROW_INT)                                                                     \
    RVL_LIMITED_1(LIMITED_1)                                                                       \
    RVL_LIMITED_2(LIMITED_2)                                                                       \
    RVL_LIMITED_3(LIMITED_3)
#define HALF_AND_NATIVE_1(name, ...)                                                               \
    ROW_1(half_##name, __VA_ARGS__)                                                                \
    ROW_1(native_##name, __VA_ARGS__)
#define HALF_AND_NATIVE_2(name, ...)                                                               \
    ROW_2(half_##name, __VA_ARGS__)                                                                \
    ROW_2(native_##name, __VA_ARGS__)

template <> std::span<const Subject<half>> subjects<half>() {
    static const Subject<half> table[] = {EVERY_TYPE};
    return table;
}
template <> std::span<const Subject<float>> subjects<float>() {
    static const Subject<float> table[] = {
        EVERY_TYPE RVL_HALF_AND_NATIVE_1(HALF_AND_NATIVE_1) RVL_HALF_AND_NATIVE_2(HALF_AND_NATIVE_2)
            RVL_HALF_1(ROW_1) RVL_HALF_2(ROW_2) RVL_HALF_LIMITED(LIMITED_1)
                RVL_NATIVE_LIMITED(LIMITED_1) RVL_NATIVE_LIMITED_2(LIMITED_2)};
    return table;
}
template <> std::span<const Subject<double>> subjects<double>() {
    static const Subject<double> table[] = {EVERY_TYPE};
    return table;
}

} // namespace rivulet::library
