// SPDX-License-Identifier: Apache-2.0
// Forces of molecules on lists of neighbours with a cut-off.
__kernel void lennard_jones(__global const float4 *atoms, __global const int *neighbours, __global float4 *forces,
                            int most, float cutoff)
{
    int i = get_global_id(0), n = get_global_size(0);
    float4 p = atoms[i], force = (float4)(0);
    for (int j = 0; j < most; j++) {
        float4 d = p - atoms[neighbours[j * n + i]];
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (r2 < cutoff) {
            float s = 1.0f / r2, s6 = s * s * s;
            float f = 24.0f * s * s6 * (2.0f * s6 - 1.0f);
            force.x += d.x * f;
            force.y += d.y * f;
            force.z += d.z * f;
            force.w += 4.0f * s6 * (s6 - 1.0f);
        }
    }
    forces[i] = force;
}
