// SPDX-License-Identifier: Apache-2.0
// One step of Jacobi's method for a sparse system in CSR, and the squares of the changes.
__kernel void jacobi_sparse(__global const int *starts, __global const int *columns,
                            __global const float *values, __global const float *b,
                            __global const float *before, __global float *after, __global float *squares)
{
    size_t row = get_global_id(0);
    float diagonal = 1.0f, sum = b[row];
    for (int j = starts[row]; j != starts[row + 1]; ++j) {
        if (columns[j] == (int)row)
            diagonal = values[j];
        else
            sum -= values[j] * before[columns[j]];
    }
    float next = sum / diagonal, change = next - before[row];
    after[row] = next;
    squares[row] = change * change;
}
