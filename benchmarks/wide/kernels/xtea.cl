// SPDX-License-Identifier: Apache-2.0
// XTEA, 32 rounds.
__kernel void xtea(__global uint2 *data, uint4 key)
{
    uint k[4] = {key.x, key.y, key.z, key.w};
    uint2 v = data[get_global_id(0)];
    uint sum = 0;
    for (int i = 0; i < 32; i++) {
        v.x += (((v.y << 4) ^ (v.y >> 5)) + v.y) ^ (sum + k[sum & 3]);
        sum += 0x9e3779b9u;
        v.y += (((v.x << 4) ^ (v.x >> 5)) + v.x) ^ (sum + k[sum >> 11 & 3]);
    }
    data[get_global_id(0)] = v;
}
