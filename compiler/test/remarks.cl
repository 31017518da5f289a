// SPDX-License-Identifier: Apache-2.0
// --remarks says what makes lanes dear, where, why, and what to write instead; with a file, as YAML
// that LLVM's own tools read.
// RUN: cd %S && %cc remarks.cl --vlen=512 -o %t --remarks=%t.yaml && FileCheck %s < %t.yaml
// RUN: llvm-remarkutil-22 count --parser=yaml --group-by=function %t.yaml | FileCheck %s --check-prefix=COUNT
// RUN: %cc %s --vlen=512 -o %t --remarks 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %cc %s --vlen=512 -o %t --remarks=%t.missing/file 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: rivulet-cc: cannot write '{{.*}}missing/file': No such file or directory
// COUNT: gather

// CHECK: --- !Analysis
// CHECK-NEXT: Pass: rivulet
// CHECK-NEXT: Name: LaneCount
// CHECK-NEXT: DebugLoc: { File: remarks.cl, Line: [[#@LINE+7]], Column:
// CHECK-NEXT: Function: gather
// CHECK-NEXT: Args:
// CHECK-NEXT: - What: '16 work-items for 64 bits of a vector register, 128 in a strip at VLEN 512: LMUL 8 for 32 bits; all values fit into the 32 registers'
// CHECK: --- !Missed
// TEXT: remarks.cl:[[#@LINE+2]]: remark: kernel 'gather': 16 work-items
kernel void gather(global const int *index, global const float *from, global float *to) {
    to[get_global_id(0)] = from[index[get_global_id(0)]];
}
// CHECK-NEXT: Pass: rivulet
// CHECK-NEXT: Name: Gather
// CHECK-NEXT: DebugLoc: { File: remarks.cl, Line: [[#@LINE-4]],
// CHECK-NEXT: Function: gather
// CHECK-NEXT: Args:
// CHECK: the index is read from memory (line [[#@LINE-7]])
// CHECK: Instead: sort the elements

// CHECK: Name: StridedLoad
// CHECK-NEXT: DebugLoc: { File: remarks.cl, Line: [[#@LINE+5]],
// CHECK-NEXT: Function: strided
// CHECK: lie 12 bytes apart
// CHECK: Instead:
kernel void strided(global const float *from, global float *to) {
    to[get_global_id(0)] = from[3 * get_global_id(0)];
}

// CHECK: Name: Mask
// CHECK-NEXT: DebugLoc: { File: remarks.cl, Line: [[#@LINE+5]],
// CHECK-NEXT: Function: mask
// CHECK: because what it compares is read from memory (line [[#@LINE+3]])
// CHECK: select()
kernel void mask(global const int *index, global float *to) {
    if (index[get_global_id(0)] > 3)
        to[get_global_id(0)] += 1.0f;
}

// CHECK: Name: DivergentLoop
// CHECK-NEXT: DebugLoc: { File: remarks.cl, Line: [[#@LINE+4]],
// CHECK-NEXT: Function: loop
// CHECK: Instead: {{.*}}give neighbouring work-items equally long loops
kernel void loop(global const int *count, global int *to) {
    for (int k = count[get_global_id(0)]; k > 0; k /= 3)
        to[get_global_id(0)] += k;
}

// CHECK: Name: Versions
// CHECK: Function: clamped
// CHECK: rows are in two versions
kernel void clamped(global const float *from, global float *to, int width) {
    int x = get_global_id(0);
    to[x] = from[max(x - 1, 0)] + from[x] + from[min(x + 1, width - 1)];
}

// CHECK: Name: ScalarRegion
// CHECK: Function: scalar
// CHECK: one work-item after the other
// TEXT: remark: kernel 'scalar': one work-item after the other
kernel void scalar(global int *to) {
    int mine[65536];
    for (int k = 0; k < 65536; ++k)
        mine[k] = to[k];
    to[get_global_id(0)] = mine[to[get_global_id(0)] & 65535];
}
