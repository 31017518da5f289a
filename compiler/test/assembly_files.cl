// SPDX-License-Identifier: Apache-2.0
//
// Assembly in a kernel reads no file: the compiler may have more rights than the program.
// RUN: not %cc -DTEXT='".incbin \"/etc/passwd\""' %s -o %t 2>&1 | FileCheck %s
// RUN: not %cc -DTEXT='".include \"/etc/passwd\""' %s -o %t 2>&1 | FileCheck %s
// RUN: not %cc -DTEXT='".macro m a\n.inc\\a \"/etc/passwd\"\n.endm\nm bin"' %s -o %t 2>&1 \
// RUN:     | FileCheck %s
// RUN: %cc -DTEXT='"nop"' %s -o %t
// CHECK: ould not find
// CHECK-SAME: /etc/passwd
// CHECK-NOT: root
kernel void test(global int *out) {
    __asm__ volatile(TEXT);
    out[0] = 1;
}
