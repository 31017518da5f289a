// SPDX-License-Identifier: Apache-2.0
// printf becomes a record in the launch's ring (launch.h), wherever it is called.
// RUN: %cc %s -o %t && %cc --dump %t | FileCheck %s
// RUN: %cc %s -o %t --target=host && %nm %t | FileCheck --check-prefix=SYMBOLS %s
// RUN: %cc %s -o %t --target=rv64gc
// CHECK: kernel talks at
// CHECK-NEXT: printf
// CHECK: kernel is_silent at
// CHECK-NOT: printf
// SYMBOLS-NOT: {{printf|puts|putchar}}
kernel void talks(global int *a, float4 v) {
    size_t i = get_global_id(0);
    if (a[i] > 3)
        a[i] = printf("%d %v4hlf %s %c\n", a[i], v, "text", 'c');
    printf("plain\n");
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int n = 0; n < a[0]; ++n)
        printf("%f", 1.5f * n);
}
kernel void is_silent(global int *a) { a[0] = 1; }
