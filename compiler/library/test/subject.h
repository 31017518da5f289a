// SPDX-License-Identifier: Apache-2.0
// The built-in functions as compiled for this machine, by name.
#ifndef RIVULET_LIBRARY_TEST_SUBJECT_H
#define RIVULET_LIBRARY_TEST_SUBJECT_H

#include <span>

namespace rivulet::library {

using half = __fp16; // mangles as OpenCL C's half does

template <typename T> struct Subject {
    const char *name;
    double ulps;      // allowed by the full profile
    double low, high; // where the function moves
    T (*one)(T) = nullptr;
    T (*two)(T, T) = nullptr;
    T (*three)(T, T, T) = nullptr;
    T (*with_int)(T, int) = nullptr;
    bool limited = false; // tried from low … high only, and half is computed in half
};

template <typename T> std::span<const Subject<T>> subjects();

} // namespace rivulet::library

#endif
