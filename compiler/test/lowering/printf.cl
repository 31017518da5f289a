// SPDX-License-Identifier: Apache-2.0
// printf becomes a record in the launch's ring (launch.h), wherever it is called.
// RUN: %cc %s -o %t -cl-std=CL3.0 && %cc --dump %t | FileCheck %s
// RUN: %cc %s -o %t --target=host && %nm %t | FileCheck --check-prefix=SYMBOLS %s
// RUN: %cc %s -o %t --target=rv64gc
// RUN: %cc %s -o %t -DNO_COUNT
// RUN: %cc %s -o %t -DPAIRS --target=rv32imafdc_zve32f --vlen=128
// RUN: %cc %s -o %t -DPAIRS --target=rv32gc_zve64f
// RUN: %cc %s -o %t -DPAIRS --target=rv32gcv
// RUN: %cc %s -o %t -DPAIRS --target=rv32gc
// RUN: not %cc %s -o %t -DCOUNT 2>&1 | FileCheck --check-prefix=COUNT %s
// RUN: not %cc %s -o %t -DFORMAT 2>&1 | FileCheck --check-prefix=FORMAT %s
// CHECK: kernel talks at
// CHECK-NEXT: printf
// CHECK: kernel is_silent at
// CHECK-NOT: printf
// CHECK: kernel ends_short at
// CHECK-NEXT: printf
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
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void ends_short(global int *a) {
    if (get_local_size(0) < 16) // in the function for groups that are cut short alone
        printf("%d\n", a[get_global_id(0)]);
}

// COUNT: printf.cl:[[#@LINE+2]]:{{[0-9]+}}: error: printf has no conversion %n in OpenCL C
#ifdef COUNT
kernel void f(global int *a) { printf("100%% of %5.2v4hlf%d%n\n", (float4)a[0], 1, a); }
#endif

// FORMAT: printf.cl:[[#@LINE+2]]:{{[0-9]+}}: error: the format of printf is a constant of the program
#ifdef FORMAT
kernel void f(constant char *a) { printf(a, 1); }
#endif

#ifdef NO_COUNT
constant char format[] = "%d%%n\n";
kernel void g(global int *a) { printf(format, a[0]), printf("%%n % d n%x\n", 1, 2); }
#endif

// Values that take two words of a hart of 32 bits, beside vectors; under a mask, too.
#ifdef PAIRS
#define PAIR(name, format, T, V)                                                                   \
    kernel void name(global int *a) {                                                              \
        int i = get_global_id(0);                                                                  \
        if (a[i] > 3)                                                                              \
            printf(format, (T)i, (V)(i));                                                          \
        printf(format, (T)(i + 1), (V)(a[i]));                                                     \
    }
PAIR(float_int4, "%f %v4hld\n", float, int4)
PAIR(double_char2, "%f %v2hhd\n", double, char2)
PAIR(long_short8, "%ld %v8hd\n", long, short8)
PAIR(ulong_float3, "%lu %v3hlf\n", ulong, float3)
PAIR(double_double2, "%f %v2lf\n", double, double2)
PAIR(long_long16, "%ld %v16ld\n", long, long16)
PAIR(int_ulong4, "%d %v4lu\n", int, ulong4)
#endif
