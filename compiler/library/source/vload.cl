/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.7: vloadn and vstoren: vectors aligned as their components are. */
#include "builtin.h"

#define LOAD(space, n, T)                                                                          \
    OVERLOAD T##n vload##n(size_t offset, const space T *p) {                                      \
        typedef T##n unaligned __attribute__((aligned(sizeof(T))));                                \
        return *(const space unaligned *)(p + offset * n);                                         \
    }
#define STORE(space, n, T)                                                                         \
    OVERLOAD void vstore##n(T##n data, size_t offset, space T *p) {                                \
        typedef T##n unaligned __attribute__((aligned(sizeof(T))));                                \
        *(space unaligned *)(p + offset * n) = data;                                               \
    }
/* Three components are three elements of memory: the fourth isn't touched. */
#define LOAD_3(space, T)                                                                           \
    OVERLOAD T##3 vload3(size_t offset, const space T *p) {                                        \
        p += offset * 3;                                                                           \
        return (T##3)(p[0], p[1], p[2]);                                                           \
    }
#define STORE_3(space, T)                                                                          \
    OVERLOAD void vstore3(T##3 data, size_t offset, space T *p) {                                  \
        p += offset * 3;                                                                           \
        p[0] = data.x, p[1] = data.y, p[2] = data.z;                                               \
    }
#define ACCESS(F, T, U, S, ...)                                                                    \
    EACH_SPACE(LOAD, 2, T) EACH_SPACE(LOAD_3, T) EACH_SPACE(LOAD, 4, T)                            \
    EACH_SPACE(LOAD, 8, T) EACH_SPACE(LOAD, 16, T)                                                 \
    EACH_WRITABLE_SPACE(STORE, 2, T) EACH_WRITABLE_SPACE(STORE_3, T)                               \
    EACH_WRITABLE_SPACE(STORE, 4, T) EACH_WRITABLE_SPACE(STORE, 8, T)                              \
    EACH_WRITABLE_SPACE(STORE, 16, T)
EACH_TYPE(ACCESS, )
