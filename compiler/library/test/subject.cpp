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
RVL_FUNCTIONS_1(DECLARE_1)
RVL_FUNCTIONS_2(DECLARE_2)
RVL_FUNCTIONS_3(DECLARE_3)
RVL_FUNCTIONS_INT(DECLARE_INT)

namespace rivulet::library {

template <typename T> std::span<const Subject<T>> subjects() {
#define ROW_1(function, ...) Subject<T>{#function, __VA_ARGS__, ::function},
#define ROW_2(function, ...) Subject<T>{#function, __VA_ARGS__, nullptr, ::function},
#define ROW_3(function, ...)                                                                       \
    Subject<T>{#function, __VA_ARGS__, nullptr, nullptr, ::function, nullptr},
#define ROW_INT(function, ...)                                                                     \
    Subject<T>{#function, __VA_ARGS__, nullptr, nullptr, nullptr, ::function},
    static const Subject<T> table[] = {RVL_FUNCTIONS_1(ROW_1) RVL_FUNCTIONS_2(ROW_2)
                                           RVL_FUNCTIONS_3(ROW_3) RVL_FUNCTIONS_INT(ROW_INT)};
    return table;
}
template std::span<const Subject<half>> subjects<half>();
template std::span<const Subject<float>> subjects<float>();
template std::span<const Subject<double>> subjects<double>();

} // namespace rivulet::library
