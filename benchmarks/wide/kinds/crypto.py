# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import hashlib
import zlib

import numpy


@kernel((512,))
def sha256(r):
    messages = [r.bytes(int(n)).tobytes() for n in r.ints(512, high=56)]
    blocks = [m + b"\x80" + bytes(55 - len(m)) + (8 * len(m)).to_bytes(8, "big") for m in messages]
    digests = b"".join(hashlib.sha256(m).digest() for m in messages)
    return dict(blocks=numpy.frombuffer(b"".join(blocks), ">u4").astype("u4"),
                digests=Out(numpy.frombuffer(digests, ">u4").astype("u4")))


def aes_sbox():
    box, p, q = [0] * 256, 1, 1
    while True:
        p = p ^ (p << 1) & 255 ^ (0x1b if p & 0x80 else 0)
        q ^= q << 1
        q ^= q << 2
        q = (q ^ q << 4) & 255
        q ^= 0x09 if q & 0x80 else 0
        turned = q
        for shift in (1, 2, 3, 4):
            turned ^= (q << shift | q >> 8 - shift) & 255
        box[p] = turned ^ 0x63
        if p == 1:
            break
    box[0] = 0x63
    return box


def aes_keys(key, box):
    words, turn = [int.from_bytes(key[i:i + 4], "big") for i in range(0, 16, 4)], 1
    while len(words) < 44:
        word = words[-1]
        if len(words) % 4 == 0:
            word = (word << 8 | word >> 24) & 0xffffffff
            word = sum(box[word >> s & 255] << s for s in (0, 8, 16, 24)) ^ turn << 24
            turn = turn << 1 ^ (0x11b if turn & 0x80 else 0)
        words.append(words[-4] ^ word)
    return words


def aes_block(state, keys, box):
    """A block as 16 bytes, the textbook's way."""
    def double(b):
        return (b << 1 ^ (0x1b if b & 0x80 else 0)) & 255

    key = [b"".join(word.to_bytes(4, "big") for word in keys[4 * n:4 * n + 4]) for n in range(11)]
    state = [a ^ b for a, b in zip(state, key[0])]
    for turn in range(1, 11):
        state = [box[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if turn < 10:
            mixed = []
            for c in range(0, 16, 4):
                column = state[c:c + 4]
                every = column[0] ^ column[1] ^ column[2] ^ column[3]
                mixed += [b ^ every ^ double(b ^ column[(i + 1) % 4]) for i, b in enumerate(column)]
            state = mixed
        state = [a ^ b for a, b in zip(state, key[turn])]
    return bytes(state)


@kernel((512,), group=(64,))
def aes128_tables(r):
    box = aes_sbox()
    twice = [(b << 1 ^ (0x1b if b & 0x80 else 0)) & 255 for b in box]
    table = [d << 24 | b << 16 | b << 8 | (d ^ b) for b, d in zip(box, twice)]
    keys, nonce = aes_keys(bytes(range(16)), box), [1, 2, 3, 5]
    blocks = [b"".join(w.to_bytes(4, "big") for w in nonce[:3] + [nonce[3] + i]) for i in range(512)]
    right = b"".join(aes_block(block, keys, box) for block in blocks)
    return dict(table=numpy.array(table, "u4"), sbox=numpy.array(box, "u1"),
                keys=numpy.array(keys, "u4"), nonce=numpy.array(nonce, "u4").view("V16")[0],
                stream=Out(numpy.frombuffer(right, ">u4").astype("u4")))


def rotated(x, n):
    return x << numpy.uint32(n) | x >> numpy.uint32(32 - n)


@kernel((256,))
def chacha20(r):
    first, data = r.words(16), r.words(256, 16)
    state = numpy.repeat(first[:, None], 256, 1)
    state[12] += numpy.arange(256, dtype="u4")
    x = state.copy()
    for turn in range(20):
        for i in range(4):
            a, b, c, d = (4 * row + (i + row * (turn % 2)) % 4 for row in range(4))
            for left, right, both, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[left] += x[right]
                x[both] = rotated(x[both] ^ x[left], by)
    return {"state": first, "in": data, "out": Out(data ^ (x + state).T)}


@kernel((512,))
def crc32(r):
    table = numpy.arange(256, dtype="u4")
    for _ in range(8):
        table = numpy.where(table & 1, table >> 1 ^ 0xedb88320, table >> 1).astype("u4")
    data = r.bytes(512, 64)
    return {"in": data, "table": table,
            "out": Out(numpy.array([zlib.crc32(d.tobytes()) for d in data], "u4")), "length": 64}


@kernel((2048,))
def xtea(r):
    data, key = r.words(2048, 2), r.words(4)
    v, total = data.copy(), 0
    for _ in range(32):
        for to, other, index in ((0, 1, lambda: total & 3), (1, 0, lambda: total >> 11 & 3)):
            y = v[:, other]
            k = numpy.uint32(total + int(key[index()]) & 0xffffffff)
            v[:, to] += ((y << numpy.uint32(4) ^ y >> numpy.uint32(5)) + y) ^ k
            if to == 0:
                total = total + 0x9e3779b9 & 0xffffffff
    return dict(data=Out(v, data), key=key.view("V16")[0])


@kernel((1024,), group=(64,))
def murmur3(r):
    lengths = r.ints(1024, low=1, high=24)
    starts, words = numpy.cumsum([0, *lengths]).astype("u4"), r.words(lengths.sum())
    seed, m, right = 17, 0xffffffff, []
    for a, b in zip(starts, starts[1:]):
        h = seed
        for word in words[a:b].tolist():
            k = word * 0xcc9e2d51 & m
            h ^= ((k << 15 | k >> 17) & m) * 0x1b873593 & m
            h = ((h << 13 | h >> 19) & m) * 5 + 0xe6546b64 & m
        h ^= 4 * int(b - a)
        for shift, factor in ((16, 0x85ebca6b), (13, 0xc2b2ae35), (16, 1)):
            h = (h ^ h >> shift) * factor & m
        right.append(h)
    return dict(words=words, starts=starts, hashes=Out(numpy.array(right, "u4")),
                seed=numpy.uint32(seed))


@kernel((2048,))
def hash_probe(r):
    present, mask = r.words(1500) | numpy.uint32(1), 2047
    table, known = numpy.zeros((mask + 1, 2), "u4"), {}
    for i, key in enumerate(present.tolist()):
        slot = key * 2654435761 & mask
        while table[slot, 0] and table[slot, 0] != key:
            slot = slot + 1 & mask
        table[slot] = key, i
        known[key] = i
    keys = numpy.where(r.ints(2048, high=4) > 0, present[r.ints(2048, high=1500)],
                       r.words(2048) | numpy.uint32(1))
    right = [known.get(key, 0xffffffff) for key in keys.tolist()]
    return dict(keys=keys, table=table, values=Out(numpy.array(right, "u4")), mask=numpy.uint32(mask))


@kernel((2048,), group=(64,))
def hash_insert(r):
    keys = r.ints(2048, low=1, high=700, kind="u4")
    return dict(keys=keys, table=numpy.zeros(1024, "u4"),
                counts=Out(numpy.bincount(keys, minlength=700).astype("u4")), mask=numpy.uint32(1023))


@kernel((256,))
def big_multiply(r):
    a, b = r.words(256, 8), r.words(256, 8)
    x, y = ([int.from_bytes(row.tobytes(), "little") for row in rows] for rows in (a, b))
    right = b"".join((p * q).to_bytes(64, "little") for p, q in zip(x, y))
    return dict(a=a, b=b, out=Out(numpy.frombuffer(right, "<u4")))
