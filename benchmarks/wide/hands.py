# SPDX-License-Identifier: Apache-2.0
"""The kernels with hand-written versions in hand/: the types of the kernel's arguments, and the call
for the whole NDRange. ../hand_images.py wraps it as a kernel image."""
import hand_images
from cases import HERE, all_cases
from hand_images import F, I, P, U, U4

HANDS = {
    "complex_multiply": ([P, P, P], "hand(a0, a1, a2, 4096)"),
    "heat_5pt": ([P, P, I, I, F], "hand(a0, a1, a2, a3, a4)"),
    "life": ([P, P, I, I], "hand(a0, a1, a2, a3)"),
    "rgb_to_gray": ([P, P, U], "hand(a0, a1, a2)"),
    "median_3x3": ([P, P, I, I], "hand(a0, a1, a2, a3)"),
    "alpha_blend": ([P, P, P], "hand(a0, a1, a2, 4096)"),
    "half_depthwise_3x3": ([P, P, P, I, I], "hand(a0, a1, a2, a3, a4, 8)"),
    "to_upper": ([P, U], "hand(a0, a1)"),
    "base64_encode": ([P, P], "hand(a0, a1, 2048)"),
    "xtea": ([P, U4], "hand(a0, a1, 2048)"),
    "hash_probe": ([P, P, P, U], "hand(a0, a1, a2, 2048, a3)"),
    "bfs_volatile": ([P, P, P, P, I, I], "hand(a0, a1, a2, a3, a4, a5)"),
    "haar_wavelet": ([P, P, P], "hand(a0, a1, a2, 4096)"),
    "collatz": ([P, P], "hand(a0, a1, 1024)"),
}


def make(compiler, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (types, call) in HANDS.items():
        case = all_cases()[name]
        hand_images.wrap(compiler, case.source, case.options.split(), HERE / "hand" / f"{name}.c",
                         types, call, folder / name)
