/* SPDX-License-Identifier: Apache-2.0 */
/* 6.15.19: broadcasts of vectors, votes and ballots. */
#include "sub_group.h"

#define BROADCAST(n, T, U, S, f)                                                                   \
    OVERLOAD T##n f(T##n x, uint lane) {                                                           \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = sub_group_broadcast(x[i], lane); \
        return result;                                                                             \
    }
EACH_TYPE(EACH_VECTOR, BROADCAST, sub_group_broadcast)
EACH_TYPE(EACH_VECTOR, BROADCAST, sub_group_non_uniform_broadcast)
EACH_TYPE(EACH_VECTOR, BROADCAST, intel_sub_group_broadcast)

#define ALL_EQUAL(n, T, ...)                                                                       \
    OVERLOAD int sub_group_non_uniform_all_equal(T x) {                                            \
        return sub_group_all(x == sub_group_broadcast_first(x));                                   \
    }
EACH_TYPE(EACH_SCALAR, ALL_EQUAL)

/* ---- ballots: a bit for each of up to 128 work-items, as two words ---- */

INLINE ulong2 words(uint4 ballot) { return __builtin_astype(ballot, ulong2); }
INLINE uint4 ballot_of(ulong2 words) { return __builtin_astype(words, uint4); }

/* The lowest bits, fewer than 64 in a word. */
INLINE ulong below_in_word(uint bits) { return (1ul << bits) - 1; }
INLINE ulong2 below(uint bits) {
    return bits < 64 ? (ulong2)(below_in_word(bits), 0)
                     : (ulong2)(~0ul, bits < 128 ? below_in_word(bits - 64) : ~0ul);
}

INLINE uint count(ulong2 words) {
    return (uint)__builtin_elementwise_popcount(words.x) +
           (uint)__builtin_elementwise_popcount(words.y);
}
// The largest sub-group's bits count, in the last and smaller one, too.
INLINE ulong2 valid(uint4 ballot) { return words(ballot) & below(get_max_sub_group_size()); }

OVERLOAD uint4 sub_group_ballot(int predicate) {
    return ballot_of((ulong2)(__rivulet_sub_group_ballot_part(predicate, 0),
                              __rivulet_sub_group_ballot_part(predicate, 1)));
}
OVERLOAD int sub_group_ballot_bit_extract(uint4 ballot, uint index) {
    ulong word = index < 64 ? words(ballot).x : words(ballot).y;
    return (int)(word >> (index & 63) & 1);
}
OVERLOAD int sub_group_inverse_ballot(uint4 ballot) {
    return sub_group_ballot_bit_extract(ballot, get_sub_group_local_id());
}
OVERLOAD uint sub_group_ballot_bit_count(uint4 ballot) { return count(valid(ballot)); }
OVERLOAD uint sub_group_ballot_inclusive_scan(uint4 ballot) {
    return count(words(ballot) & below(get_sub_group_local_id() + 1));
}
OVERLOAD uint sub_group_ballot_exclusive_scan(uint4 ballot) {
    return count(words(ballot) & below(get_sub_group_local_id()));
}
OVERLOAD uint sub_group_ballot_find_lsb(uint4 ballot) {
    ulong2 bits = valid(ballot);
    return bits.x ? (uint)__builtin_ctzg(bits.x, 0)
                  : 64 + (uint)__builtin_ctzg(bits.y, 0);
}
OVERLOAD uint sub_group_ballot_find_msb(uint4 ballot) {
    ulong2 bits = valid(ballot);
    return bits.y ? 127 - (uint)__builtin_clzg(bits.y, 0)
                  : 63 - (uint)__builtin_clzg(bits.x, 0);
}

#define MASK_OF(name, bits)                                                                        \
    OVERLOAD uint4 get_sub_group_##name##_mask(void) {                                             \
        uint lane = get_sub_group_local_id();                                                      \
        ulong2 all = below(get_max_sub_group_size());                                              \
        return ballot_of(all & (bits));                                                            \
    }
MASK_OF(eq, below(lane + 1) & ~below(lane))
MASK_OF(ge, ~below(lane))
MASK_OF(gt, ~below(lane + 1))
MASK_OF(le, below(lane + 1))
MASK_OF(lt, below(lane))
