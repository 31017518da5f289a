// SPDX-License-Identifier: Apache-2.0
kernel void negative(global uint *to, global const uint *from) {
    size_t i = get_global_id(0);
    to[i] = ~from[i];
}
