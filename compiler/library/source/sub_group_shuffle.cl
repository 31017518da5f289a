/* SPDX-License-Identifier: Apache-2.0 */
/* 6.15.19, cl_intel_subgroups: data that changes lanes. Each shuffle runs in all lanes that came,
 * and a choice follows. */
#include "sub_group.h"

#define RELATIVE(n, T, ...)                                                                        \
    OVERLOAD T sub_group_shuffle_xor(T x, uint value) {                                            \
        return sub_group_shuffle(x, get_sub_group_local_id() ^ value);                             \
    }                                                                                              \
    OVERLOAD T sub_group_shuffle_up(T x, uint delta) {                                             \
        return sub_group_shuffle(x, get_sub_group_local_id() - delta);                             \
    }                                                                                              \
    OVERLOAD T sub_group_shuffle_down(T x, uint delta) {                                           \
        return sub_group_shuffle(x, get_sub_group_local_id() + delta);                             \
    }                                                                                              \
    OVERLOAD T sub_group_rotate(T x, int delta) {                                                  \
        int size = (int)get_max_sub_group_size(), by = delta % size;                               \
        int lane = (int)get_sub_group_local_id() + (by < 0 ? by + size : by);                      \
        return sub_group_shuffle(x, (uint)(lane < size ? lane : lane - size));                     \
    }                                                                                              \
    OVERLOAD T sub_group_clustered_rotate(T x, int delta, uint cluster) {                          \
        uint lane = get_sub_group_local_id(), inside = cluster - 1;                                \
        return sub_group_shuffle(x, (lane & ~inside) | ((lane + (uint)delta) & inside));           \
    }
EACH_TYPE(EACH_SCALAR, RELATIVE)

/* Two sources, numbered through. */
#define INTEL_SCALAR(n, T, ...)                                                                    \
    OVERLOAD T intel_sub_group_shuffle(T x, uint lane) { return sub_group_shuffle(x, lane); }      \
    OVERLOAD T intel_sub_group_shuffle_xor(T x, uint value) {                                      \
        return sub_group_shuffle_xor(x, value);                                                    \
    }                                                                                              \
    OVERLOAD T intel_sub_group_shuffle_down(T current, T next, uint delta) {                       \
        uint size = get_max_sub_group_size(), lane = get_sub_group_local_id() + delta;             \
        T here = sub_group_shuffle(current, lane), beyond = sub_group_shuffle(next, lane - size);  \
        return lane < size ? here : beyond;                                                        \
    }                                                                                              \
    OVERLOAD T intel_sub_group_shuffle_up(T previous, T current, uint delta) {                     \
        uint size = get_max_sub_group_size(), lane = get_sub_group_local_id() - delta;             \
        T here = sub_group_shuffle(current, lane), before = sub_group_shuffle(previous, lane + size); \
        return (int)lane >= 0 ? here : before;                                                     \
    }
EACH_TYPE(EACH_SCALAR, INTEL_SCALAR)

#define INTEL_VECTOR(n, T, ...)                                                                    \
    OVERLOAD T##n intel_sub_group_shuffle(T##n x, uint lane) {                                     \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = sub_group_shuffle(x[i], lane);   \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T##n intel_sub_group_shuffle_xor(T##n x, uint value) {                                \
        return intel_sub_group_shuffle(x, get_sub_group_local_id() ^ value);                       \
    }                                                                                              \
    OVERLOAD T##n intel_sub_group_shuffle_down(T##n current, T##n next, uint delta) {              \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] =                                  \
            intel_sub_group_shuffle_down(current[i], next[i], delta);                              \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T##n intel_sub_group_shuffle_up(T##n previous, T##n current, uint delta) {            \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] =                                  \
            intel_sub_group_shuffle_up(previous[i], current[i], delta);                            \
        return result;                                                                             \
    }
EACH_TYPE(EACH_VECTOR, INTEL_VECTOR)
