// SPDX-License-Identifier: Apache-2.0
// A step of the Adam optimiser.
__kernel void adam(__global float *p, __global const float *g, __global float *m, __global float *v,
                   float rate, float beta1, float beta2, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float grad = g[i];
        m[i] = beta1 * m[i] + (1 - beta1) * grad;
        v[i] = beta2 * v[i] + (1 - beta2) * grad * grad;
        p[i] -= rate * m[i] / (sqrt(v[i]) + 1e-8f);
    }
}
