// SPDX-License-Identifier: Apache-2.0
// Variables may be all that a program has of an opaque type.
// RUN: %cc %s -o %t -cl-std=CL1.2
// RUN: %cc %s -o - --emit=llvm | FileCheck --implicit-check-not=spirv.Event %s
// RUN: not %cc %s -o %t -DLITERAL 2>&1 | FileCheck --check-prefix=LITERAL %s
// LITERAL: events.cl:[[#@LINE+3]]:{{.*}} error: invalid value; use a variable of the type
#ifdef LITERAL
kernel void literal(void) {
    event_t all[] = {0, 0};
    wait_group_events(2, all);
}
#endif
// CHECK: define {{.*}}@wait(
kernel void wait(global int *out) {
    event_t none = 0;
    event_t all[2] = {none, none};
    wait_group_events(2, all);
    out[get_global_id(0)] = 1;
}
