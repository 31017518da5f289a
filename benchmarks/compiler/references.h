// SPDX-License-Identifier: Apache-2.0
//
// The plain C versions in hand/, as CMake compiles them for the host: what is right.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
void plain_saxpy(size_t n, float a, const float *x, float *y);
void plain_vecadd(size_t global, const float *a, const float *b, float *c, uint32_t n);
void plain_sobel(const uint8_t *in, uint8_t *out, int width, int height);
void plain_sgemm_naive(const float *a, const float *b, float *c, int m, int n, int k);
void plain_sgemm_tiled(const float *a, const float *b, float *c, int m, int n, int k);
void plain_reduction(size_t groups, const float *in, float *partial);
void plain_mandelbrot(int32_t *out, int width, int height, float x0, float y0, float dx, float dy,
                      int most);
void plain_spmv_csr(const int32_t *row_starts, const int32_t *columns, const float *values,
                    const float *x, float *y, int rows);
void plain_nbody(const float *position, const float *velocity, float *new_position,
                 float *new_velocity, int n, float dt, float eps2);
void plain_histogram(const uint8_t *data, uint32_t *bins, uint32_t n, uint32_t items);
void plain_blackscholes(const float *s, const float *k, const float *t, float *call, float *put,
                        float rate, float volatility, uint32_t n);
void plain_conv2d(const float *in, float *out, const float *coefficients, int width, int height);
void plain_transpose(const float *in, float *out, int width, int height);
void plain_bitonic(uint32_t *data, uint32_t n, uint32_t j, uint32_t k);
void plain_scan(const uint32_t *in, uint32_t *out, size_t groups);
void plain_bilinear(const uint8_t *in, uint8_t *out, int from_width, int from_height, int width,
                    int height, float scale_x, float scale_y);
}
