// SPDX-License-Identifier: Apache-2.0
// -mcpu: code is tuned for a core. What the code may use is the device's ISA in any case.
// RUN: %cc %s --emit=llvm -mcpu=spacemit-x60 | FileCheck --check-prefix=TUNED %s
// TUNED: "rivulet-core"="spacemit-x60"
// TUNED-SAME: "target-cpu"="generic-rv64"
// TUNED-NOT: +zicboz
// As a device tree spells it. The last option counts.
// RUN: %cc %s --emit=llvm -mcpu=spacemit-x60 -mcpu=sifive,x280 | FileCheck --check-prefix=LAST %s
// LAST: "rivulet-core"="sifive-x280"
// RUN: %cc %s --emit=llvm | FileCheck --check-prefix=ANY %s
// RUN: %cc %s --emit=llvm -mcpu=spacemit-x60 -mcpu=generic | FileCheck --check-prefix=ANY %s
// ANY-NOT: "rivulet-core"
// ANY: "target-cpu"="generic-rv64"
// ANY-NOT: "rivulet-core"
// Without a vector unit there is nothing to choose.
// RUN: %cc %s --emit=llvm --target=rv64gc -mcpu=spacemit-x60 | FileCheck --check-prefix=ANY %s
// RUN: %cc %s -o %t --target=host -mcpu=spacemit-x60

// With the same ISA as before.
// RUN: %cc %s -o %t -mcpu=sifive-x280 && %cc --dump %t | FileCheck --check-prefix=ISA %s
// ISA: isa rv64imafdcv_zicsr_zifencei_zvfh_zba_zbb_zbs_zicond, VLEN any from 128

// It is an option for linking, too. An object's core doesn't count.
// RUN: %cc %s --emit=object -o %t.o -mcpu=spacemit-x60
// RUN: %cc %t.o --emit=llvm -mcpu=sifive-x280 | FileCheck --check-prefix=LAST %s
// RUN: %cc %t.o --emit=llvm | FileCheck --check-prefix=ANY %s

// RUN: not %cc %s -o %t -mcpu=spacemit-x61 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %cc %s -o %t -mcpu= 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: build options: -mcpu={{.*}}: code can't be tuned for this core; there are: generic sifive-x280 spacemit-x60

kernel void f(global int *a) { a[get_global_id(0)] += 1; }

// The order of instructions is the one that takes the fewest cycles on the core: the product comes
// directly behind its second load, because an address between them would be ready after a load only.
// RUN: %cc %s --emit=asm --vlen=512 | FileCheck --check-prefix=GENERAL %s
// RUN: %cc %s --emit=asm --vlen=512 -mcpu=sifive-x280 | FileCheck --check-prefix=ORDERED %s
// RUN: %cc %s --emit=asm --vlen=512 -mcpu=spacemit-x60 | FileCheck --check-prefix=ORDERED %s
// GENERAL-LABEL: sum:
// GENERAL: vsetvli {{a[0-9], a[0-9]}}, e32, m8, ta, ma
// GENERAL: vle32.v v16
// GENERAL: sh2add
// GENERAL: vfmacc.vf
// ORDERED-LABEL: sum:
// ORDERED: vsetvli {{a[0-9], a[0-9]}}, e32, m8, ta, ma
// ORDERED: vle32.v v16
// ORDERED-NOT: sh2add
// ORDERED: vfmacc.vf
kernel void sum(global const float *a, global const float *b, global float *c) {
    int x = get_global_id(0);
    c[x] = a[x] * 2 + b[x];
}
