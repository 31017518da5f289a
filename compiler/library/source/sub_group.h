/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of sub-groups that the compiler knows by name; the rest of 6.15.19 is built on them. */
#ifndef RIVULET_LIBRARY_SUB_GROUP_H
#define RIVULET_LIBRARY_SUB_GROUP_H

#include "builtin.h"

#define CONVERGENT __attribute__((overloadable, convergent))

uint OVERLOAD get_sub_group_size(void);
uint OVERLOAD get_max_sub_group_size(void);
uint OVERLOAD get_sub_group_local_id(void);
int CONVERGENT sub_group_all(int predicate);
ulong CONVERGENT __rivulet_sub_group_ballot_part(int predicate, uint part); /* 64 lanes each */
#define DECLARE(n, T, ...)                                                                         \
    T CONVERGENT sub_group_broadcast(T x, uint lane);                                              \
    T CONVERGENT sub_group_broadcast_first(T x);                                                   \
    T CONVERGENT sub_group_shuffle(T x, uint lane);
#define EACH_SCALAR(F, ...) F(, __VA_ARGS__)
EACH_TYPE(EACH_SCALAR, DECLARE)
#undef DECLARE

/* The number of components; 1 for a scalar. */
#define COUNT(n) COUNT_##n
#define COUNT_ 1
#define COUNT_2 2
#define COUNT_4 4
#define COUNT_8 8
#define COUNT_16 16
#define PART(n, x) PART_##n(x)
#define PART_(x) x
#define PART_2(x) x[i]
#define PART_4(x) x[i]
#define PART_8(x) x[i]
#define PART_16(x) x[i]
#define EACH_PART(n) _Pragma("unroll") for (uint i = 0; i < COUNT(n); ++i)

#endif
