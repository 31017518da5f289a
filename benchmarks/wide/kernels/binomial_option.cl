// SPDX-License-Identifier: Apache-2.0
// American put by a binomial tree in local memory, an option for each group.
__kernel void binomial_option(__global const float *spots, __global float *prices, float strike, float up,
                              float probability, float discount, int steps, __local float *value)
{
    int lid = get_local_id(0);
    float spot = spots[get_group_id(0)];
    for (int i = lid; i <= steps; i += get_local_size(0))
        value[i] = fmax(strike - spot * pow(up, (float)(2 * i - steps)), 0.0f);
    for (int t = steps - 1; t >= 0; --t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float next = 0.0f;
        if (lid <= t) {
            next = discount * (probability * value[lid + 1] + (1.0f - probability) * value[lid]);
            next = fmax(next, strike - spot * pow(up, (float)(2 * lid - t)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid <= t)
            value[lid] = next;
    }
    if (lid == 0)
        prices[get_group_id(0)] = value[0];
}
