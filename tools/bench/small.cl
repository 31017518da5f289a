// SPDX-License-Identifier: Apache-2.0
// The small kernel used to measure build times.
kernel void saxpy(float a, global const float *x, global float *y, uint n) {
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = fma(a, x[i], y[i]);
}
