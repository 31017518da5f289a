// SPDX-License-Identifier: Apache-2.0
// A fault's address leads to a line: the image has DWARF line tables, not loaded.
// RUN: %cc %s -o %t && %objdump -dl %t | FileCheck %s
// RUN: %readelf -SW %t | FileCheck --check-prefix=SECTION %s
// CHECK: lines.cl:[[#@LINE+3]]
// SECTION: .debug_line PROGBITS 0000000000000000
kernel void f(global int *a) {
    a[get_global_id(0)] = 1;
}
