/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers are 8 words of 32 bits, lowest first. Field elements are kept below 2^256; only
 * `reduce` brings them below p = 2^255 - 19. */
#include "device-firmware/signature/ed25519.h"

#include <string.h>

#include "device-firmware/signature/sha512.h"

enum { WORDS = 8, BITS = 256 };
typedef struct number {
    uint32_t w[WORDS];
} number;

/* 5.1: x/z and y/z on the curve -x^2 + y^2 = 1 + d x^2 y^2, and t = x y / z. */
typedef struct point {
    number x, y, z, t;
} point;

static const number zero = {{0}}, one = {{1}};
static const number curve_d = {{0x135978a3, 0x75eb4dca, 0x4141d8ab, 0x00700a4d, 0x7779e898,
                                0x8cc74079, 0x2b6ffe73, 0x52036cee}};
static const number curve_2d = {{0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a, 0xeef3d130,
                                 0x198e80f2, 0x56dffce7, 0x2406d9dc}};
static const number root_of_minus_one = {{0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806,
                                          0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480}};
static const number group_order = {
    {0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000}};
static const point base = {{{0x8f25d51a, 0xc9562d60, 0x9525a7b2, 0x692cc760, 0xfdd6dc5c, 0xc0a4e231,
                             0xcd6e53fe, 0x216936d3}},
                           {{0x66666658, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666,
                             0x66666666, 0x66666666}},
                           {{1}},
                           {{0xa5b7dda3, 0x6dde8ab3, 0x775152f5, 0x20f09f80, 0x64abe37d, 0x66ea4e8e,
                             0xd78b7665, 0x67875f0f}}};

static number from_bytes(const uint8_t *bytes) {
    number n;
    for (int i = 0; i < WORDS; ++i)
        n.w[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                 (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    return n;
}

static void to_bytes(uint8_t *bytes, const number *n) {
    for (int i = 0; i < 4 * WORDS; ++i)
        bytes[i] = (uint8_t)(n->w[i / 4] >> i % 4 * 8);
}

static bool bit(const number *n, int i) { return n->w[i / 32] >> i % 32 & 1; }

static bool is_equal(const number *a, const number *b) { return memcmp(a, b, sizeof *a) == 0; }

static bool is_below(const number *a, const number *b) {
    for (int i = WORDS - 1; i >= 0; --i)
        if (a->w[i] != b->w[i])
            return a->w[i] < b->w[i];
    return false;
}

/* Plain 256-bit subtraction; returns the borrow out of a - b. */
static uint32_t subtract_plainly(number *to, const number *a, const number *b) {
    uint32_t borrow = 0;
    for (int i = 0; i < WORDS; ++i) {
        const uint64_t difference = (uint64_t)a->w[i] - b->w[i] - borrow;
        to->w[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 63);
    }
    return borrow;
}

/* 2^256 is 38 modulo p, so the carry is added back times 38 until there is none. */
static void add_carry(number *to, uint64_t carry) {
    while (carry) {
        carry *= 38;
        for (int i = 0; i < WORDS && carry; ++i) {
            carry += to->w[i];
            to->w[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

static void add(number *to, const number *a, const number *b) {
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; ++i) {
        carry += (uint64_t)a->w[i] + b->w[i];
        to->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    add_carry(to, carry);
}

static void subtract(number *to, const number *a, const number *b) {
    static const number folded = {{38}};
    uint32_t borrow = subtract_plainly(to, a, b);
    while (borrow)
        borrow = subtract_plainly(to, to, &folded);
}

static void multiply(number *to, const number *a, const number *b) {
    uint32_t product[2 * WORDS] = {0};
    for (int i = 0; i < WORDS; ++i) {
        uint64_t carry = 0;
        for (int j = 0; j < WORDS; ++j) {
            carry += (uint64_t)a->w[i] * b->w[j] + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + WORDS] = (uint32_t)carry;
    }
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; ++i) {
        carry += (uint64_t)product[i + WORDS] * 38 + product[i];
        to->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    add_carry(to, carry);
}

static number reduced(number n) {
    static const number p = {{0xffffffed, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                              0xffffffff, 0xffffffff, 0x7fffffff}};
    while (!is_below(&n, &p)) /* twice at most */
        subtract_plainly(&n, &n, &p);
    return n;
}

/* n to the power of 2^bits - less, for less below 256: all bits of the exponent except the
 * lowest eight are ones. */
static number power(const number *n, int bits, uint32_t less) {
    const uint32_t low = 256 - less;
    number result = one;
    for (int i = bits - 1; i >= 0; --i) {
        multiply(&result, &result, &result);
        if (i >= 8 || low >> i & 1)
            multiply(&result, &result, n);
    }
    return result;
}

/* 5.1.4; complete, so it also doubles. */
static void add_point(point *to, const point *p, const point *q) {
    number a, b, c, d, e, f;
    subtract(&a, &p->y, &p->x);
    subtract(&e, &q->y, &q->x);
    multiply(&a, &a, &e);
    add(&b, &p->y, &p->x);
    add(&e, &q->y, &q->x);
    multiply(&b, &b, &e);
    multiply(&c, &p->t, &q->t);
    multiply(&c, &c, &curve_2d);
    multiply(&d, &p->z, &q->z);
    add(&d, &d, &d);
    subtract(&e, &b, &a);
    add(&b, &b, &a); /* H */
    subtract(&f, &d, &c);
    add(&d, &d, &c); /* G */
    multiply(&to->x, &e, &f);
    multiply(&to->y, &d, &b);
    multiply(&to->t, &e, &b);
    multiply(&to->z, &f, &d);
}

/* 5.1.3. Returns false if the bytes do not encode a point. */
static bool decode(point *to, const uint8_t *bytes) {
    number u, v, x, check;
    const bool odd = bytes[31] >> 7;
    to->y = from_bytes(bytes);
    to->y.w[WORDS - 1] &= 0x7fffffff;
    check = reduced(to->y);
    if (!is_equal(&check, &to->y))
        return false;
    multiply(&u, &to->y, &to->y);
    multiply(&v, &u, &curve_d);
    subtract(&u, &u, &one);
    add(&v, &v, &one);
    multiply(&check, &v, &v); /* x = u v^3 (u v^7)^((p - 5) / 8) */
    multiply(&check, &check, &v);
    multiply(&x, &u, &check);
    multiply(&check, &check, &check);
    multiply(&check, &check, &v);
    multiply(&check, &check, &u);
    check = power(&check, 252, 3);
    multiply(&x, &x, &check);
    multiply(&check, &x, &x);
    multiply(&check, &check, &v);
    check = reduced(check);
    u = reduced(u);
    if (!is_equal(&check, &u)) {
        multiply(&x, &x, &root_of_minus_one);
        multiply(&check, &x, &x);
        multiply(&check, &check, &v);
        check = reduced(check);
        if (!is_equal(&check, &u))
            return false;
    }
    x = reduced(x);
    if (is_equal(&x, &zero) && odd)
        return false;
    if (bit(&x, 0) != odd)
        subtract(&x, &zero, &x);
    to->x = x;
    to->z = one;
    multiply(&to->t, &to->x, &to->y);
    return true;
}

static void encode(uint8_t *bytes, const point *p) {
    const number inverse = power(&p->z, 255, 21);
    number x, y;
    multiply(&x, &p->x, &inverse);
    multiply(&y, &p->y, &inverse);
    x = reduced(x);
    y = reduced(y);
    y.w[WORDS - 1] |= (x.w[0] & 1) << 31;
    to_bytes(bytes, &y);
}

static bool is_of_small_order(const point *p) {
    point multiple = *p;
    for (int i = 0; i < 3; ++i)
        add_point(&multiple, &multiple, &multiple);
    const number x = reduced(multiple.x);
    return is_equal(&x, &zero);
}

/* Reduces the digest modulo the group's order, bit by bit from the highest. */
static void reduce_digest(number *to, const uint8_t digest[SHA512_BYTES]) {
    *to = zero;
    for (int i = 8 * SHA512_BYTES - 1; i >= 0; --i) {
        uint32_t carry = digest[i / 8] >> i % 8 & 1;
        for (int j = 0; j < WORDS; ++j) {
            const uint32_t next = to->w[j] >> 31;
            to->w[j] = to->w[j] << 1 | carry;
            carry = next;
        }
        if (!is_below(to, &group_order))
            subtract_plainly(to, to, &group_order);
    }
}

/* Not inlined, so that the hash's stack is free again when the curve arithmetic needs it. */
static __attribute__((noinline)) void challenge(number *to, const uint8_t *key, const uint8_t *r,
                                                const ed25519_part *parts, size_t count) {
    sha512 hash;
    uint8_t digest[SHA512_BYTES];
    sha512_begin(&hash);
    sha512_add(&hash, r, 32);
    sha512_add(&hash, key, ED25519_KEY_BYTES);
    for (size_t i = 0; i < count; ++i)
        sha512_add(&hash, parts[i].data, parts[i].bytes);
    sha512_end(&hash, digest);
    reduce_digest(to, digest);
}

/* 5.1.7: R is the encoding of S B - k A. */
bool ed25519_verify(const uint8_t key[ED25519_KEY_BYTES],
                    const uint8_t signature[ED25519_SIGNATURE_BYTES], const ed25519_part *parts,
                    size_t count) {
    const number s = from_bytes(signature + 32);
    number k;
    point minus_key, both, sum = {zero, one, one, zero};
    if (!is_below(&s, &group_order) || !decode(&minus_key, key) || is_of_small_order(&minus_key))
        return false;
    subtract(&minus_key.x, &zero, &minus_key.x);
    subtract(&minus_key.t, &zero, &minus_key.t);
    challenge(&k, key, signature, parts, count);
    add_point(&both, &base, &minus_key);
    for (int i = BITS - 1; i >= 0; --i) {
        add_point(&sum, &sum, &sum);
        if (bit(&s, i) || bit(&k, i))
            add_point(&sum, &sum, !bit(&k, i) ? &base : bit(&s, i) ? &both : &minus_key);
    }
    uint8_t r[32];
    encode(r, &sum);
    return memcmp(r, signature, sizeof r) == 0;
}
