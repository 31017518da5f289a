/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((overloadable)) float max(float3 a, int2 b) { return a.x + b.y; }
