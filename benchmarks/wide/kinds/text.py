# SPDX-License-Identifier: Apache-2.0
from cases import Out, kernel
import base64

import numpy


def lines_of(r, count, least, most, letters):
    """Random lines as bytes, and where they start."""
    lengths = r.ints(count, low=least, high=most)
    starts = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype("i4")
    alphabet = numpy.frombuffer(letters, "u1")
    return alphabet[r.ints(starts[-1], high=len(letters))], starts


@kernel((512,))
def find_word(r):
    text, starts = lines_of(r, 512, 20, 90, b"abc")
    right = [text[a:b].tobytes().find(b"abca") for a, b in zip(starts, starts[1:])]
    return dict(text=text, starts=starts, word=numpy.frombuffer(b"abca", "u1").copy(), length=4,
                found=Out(numpy.array(right, "i4")))


@kernel((10240,), group=(256,))
def to_upper(r):
    text = r.bytes(10000, low=32, high=127)
    right = numpy.frombuffer(text.tobytes().upper(), "u1")
    return dict(text=Out(right, text), n=numpy.uint32(10000))


def distance(a, b):
    row = list(range(len(b) + 1))
    for j, letter in enumerate(a):
        diagonal, row[0] = row[0], j + 1
        for i, other in enumerate(b):
            diagonal, row[i + 1] = row[i + 1], min(diagonal + (letter != other), row[i] + 1, row[i + 1] + 1)
    return row[-1]


@kernel((512,))
def levenshtein(r):
    words, lengths, query = r.bytes(512, 16, low=97, high=102), r.bytes(512, low=3, high=17), b"abcdeabcde"
    right = [distance(word[:n].tolist(), query) for word, n in zip(words, lengths)]
    return dict(words=words, lengths=lengths, query=numpy.frombuffer(query, "u1").copy(),
                query_length=10, distances=Out(numpy.array(right, "i4")))


@kernel((2048,))
def base64_encode(r):
    data = r.bytes(2048, 3)
    return {"in": data, "out": Out(numpy.frombuffer(base64.b64encode(data.tobytes()), "u1"))}


@kernel((2048,), group=(64,))
def parse_numbers(r):
    numbers = r.ints(2048, low=-100000, high=100000) >> r.ints(2048, high=16)
    lines = [f"{number}\n".encode() for number in numbers]
    starts = numpy.cumsum([0] + [len(line) for line in lines]).astype("u4")
    return dict(text=numpy.frombuffer(b"".join(lines), "u1").copy(), starts=starts,
                numbers=Out(numbers.astype("i4")))


@kernel((1024,), group=(64,))
def count_words(r):
    text = numpy.frombuffer(b"     \nabcdefghijklmnop", "u1")[r.ints(16000, high=22)]
    return dict(text=text, n=16000, total=Out(numpy.array([len(text.tobytes().split())], "i4")))
