// SPDX-License-Identifier: Apache-2.0
// A fault's address leads to a line: the image has DWARF line tables, not loaded.
// RUN: %cc %s -o %t && %objdump -dl %t | FileCheck %s
// RUN: %readelf -SW %t | FileCheck --check-prefix=SECTION %s
// CHECK: lines.cl:[[#@LINE+3]]
// SECTION: .debug_line PROGBITS 0000000000000000
kernel void f(global int *a) {
    a[get_global_id(0)] = 1;
}
// The function of groups that are cut short has lines, too.
// RUN: %cc %s -cl-std=CL3.0 -o %t && %objdump -dl %t | FileCheck --check-prefix=UNEVEN %s
// UNEVEN-LABEL: <tile.uneven>:
// UNEVEN: lines.cl:[[#@LINE+6]]
// UNEVEN-LABEL: <tile>:
// UNEVEN: lines.cl:[[#@LINE+4]]
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void tile(global const float *a,
                                                                  global float *b) {
    local float t[16][16];
    t[get_local_id(1)][get_local_id(0)] = a[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 16; ++i)
        sum += t[get_local_id(1)][i] * t[i][get_local_id(0)];
    b[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
// The unit has the file's name, its folder once.
// RUN: cd %S/.. && %cc test/lines.cl --emit=llvm | FileCheck --check-prefix=UNIT %s
// UNIT-NOT: test/test/lines.cl
// UNIT: DIFile(filename: "test/lines.cl"
// Debuggers show names as the source has them.
// RUN: %cc %s -g --emit=llvm | FileCheck --check-prefix=NAMES %s
// NAMES-NOT: linkageName: "__clang
// NAMES: DISubprogram(name: "tile"
// There are variables that all lanes share, at addresses without a space.
// RUN: %cc %s -g --emit=spmd | FileCheck --check-prefix=VARIABLES %s
// VARIABLES-NOT: DW_OP_xderef
// VARIABLES: #dbg_value(ptr addrspace(1) %{{[0-9]+}}, ![[A:[0-9]+]], !DIExpression()
// VARIABLES: ![[A]] = !DILocalVariable(name: "a"
