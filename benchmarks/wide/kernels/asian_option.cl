// SPDX-License-Identifier: Apache-2.0
// Payoffs of an Asian option along given normal steps, path for each work-item.
__kernel void asian_option(__global const float *normals, __global float *payoff, int steps, float spot, float strike,
                           float drift, float volatility)
{
    int path = get_global_id(0), paths = get_global_size(0);
    float price = spot, sum = 0.0f;
    for (int t = 0; t < steps; ++t) {
        price *= exp(drift + volatility * normals[t * paths + path]);
        sum += price;
    }
    payoff[path] = fmax(sum / steps - strike, 0.0f);
}
