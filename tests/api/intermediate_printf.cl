// SPDX-License-Identifier: Apache-2.0
// The kernel that intermediate.cpp runs, as SPIR-V. Together with other kernels clang 22 rejects it.
kernel void tell(global const int *from) {
    if (get_global_id(0))
        return;
    printf("%d and %s\n", from[0], "more");
    printf("%v2d\n", (int2)(from[1], from[2]));
    printf("%zu %td\n", sizeof(long16), from - (from + 7)); // OpenCL 3.1
    printf("end\n");
}
