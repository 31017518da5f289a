// SPDX-License-Identifier: Apache-2.0
// Metropolis sweep of the spins of one colour; random numbers given.
__kernel void ising_sweep(__global char *spins, __global const float *numbers, int width, int height, int colour, float beta)
{
    int x = 2 * get_global_id(0), y = get_global_id(1);
    x += (y + colour) & 1;
    int left = (x + width - 1) % width, right = (x + 1) % width;
    int up = (y + height - 1) % height, down = (y + 1) % height;
    int sum = spins[y * width + left] + spins[y * width + right] + spins[up * width + x] + spins[down * width + x];
    char spin = spins[y * width + x];
    float energy = 2.0f * spin * sum;
    if (energy <= 0.0f || numbers[y * width + x] < exp(-beta * energy))
        spins[y * width + x] = -spin;
}
