// SPDX-License-Identifier: Apache-2.0
// Mistakes in a board's table are errors with the file's line, and name what was probably meant.
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbbb","vv: x"' -o %t 2>&1 | FileCheck --check-prefix=EXTENSION %s
// EXTENSION: Inputs/instructions.h:27:{{[0-9]+}}: error: there is no extension 'zvbbb'; did you mean 'zvbb'?
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vv: llvm.riscv.vandnn"' -o %t 2>&1 | FileCheck --check-prefix=INTRINSIC %s
// INTRINSIC: Inputs/instructions.h:27:{{.*}} error: LLVM has no intrinsic 'llvm.riscv.vandnn'; did you mean 'llvm.riscv.vandn'?
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vvv: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=LETTERS %s
// LETTERS: Inputs/instructions.h:27:{{.*}} error: the shape 'vvv' has 3 letters; the function has 2 parameters
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vw: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=LETTER %s
// LETTER: Inputs/instructions.h:27:{{.*}} error: the shape 'vw' has the letter 'w'; letters are v (vector)
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vm: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=MASK %s
// MASK: Inputs/instructions.h:27:{{.*}} error: the shape has m for 'b', which is no bool
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vf: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=REAL %s
// REAL: Inputs/instructions.h:27:{{.*}} error: the shape has f for 'b', which is no float
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vv e12: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=WIDTH %s
// WIDTH: Inputs/instructions.h:27:{{.*}} error: 'e12' is not e8, e16, e32, e64 or &
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb","vv: vandn.vv %%0, %%1, %%3"' -o %t 2>&1 | FileCheck --check-prefix=OPERAND %s
// OPERAND: Inputs/instructions.h:27:{{.*}} error: '%3': the function has 2 parameters
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb"' -o %t 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT: Inputs/instructions.h:27:{{.*}} error: 'rivulet_instruction' attribute takes at least 2 arguments
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=x '-DMISTAKE="zvbb","vv: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=BODY %s
// BODY: Inputs/instructions.h:27:{{.*}} error: use of undeclared identifier 'x'

// RUN: not %cc %s --instructions=%S/Inputs/instructions.h -DBODY=a '-DMISTAKE="zvbb1p0","vv: vandn.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=VERSION %s
// VERSION: Inputs/instructions.h:27:{{.*}} error: 'zvbb1p0' is not the name of one extension, without a version

// What only shows when the function is used on such a hart.
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h --target=rv64gcv_zvbb -DBODY=a '-DMISTAKE="zvbb","vv: vandm.vv %%0, %%1, %%2"' -o %t 2>&1 | FileCheck --check-prefix=MNEMONIC %s
// MNEMONIC: Inputs/instructions.h:27: error: built-in function 'f': 'vandm.vv %0, %1, %2': unrecognized instruction mnemonic, did you mean: {{.*}}vand
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h --target=rv64gcv_zvbb -DBODY=a '-DMISTAKE="zvbb","vv: vandn.vv %%0, %%1"' -o %t 2>&1 | FileCheck --check-prefix=TOO_FEW %s
// TOO_FEW: Inputs/instructions.h:27: error: built-in function 'f': 'vandn.vv %0, %1': too few operands for instruction
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h --target=rv64gcv_zvbb -DBODY=a '-DMISTAKE="zvbb","vv: llvm.riscv.vbrev8"' -o %t 2>&1 | FileCheck --check-prefix=SIGNATURE %s
// SIGNATURE: Inputs/instructions.h:27: error: built-in function 'f': 'llvm.riscv.vbrev8' does not take these operands
// RUN: not %cc %s --instructions=%S/Inputs/instructions.h '-DBODY=(barrier(1),a)' '-DMISTAKE="zvbb","vv: llvm.riscv.vandn"' -o %t 2>&1 | FileCheck --check-prefix=EFFECT %s
// EFFECT: Inputs/instructions.h:27: error: built-in function 'f': its body calls '_Z7barrierj'; it may only compute
// RUN: not %cc %s --instructions=%S/nonexistent.h -o %t 2>&1 | FileCheck --check-prefix=ABSENT %s
// ABSENT: cannot read '{{.*}}nonexistent.h'

// A program's own function of that name is an error that names both.
// RUN: not %cc %s -DOWN --instructions=%S/Inputs/instructions.h -o %t 2>&1 | FileCheck --check-prefix=OWN %s
// OWN: error: redefinition of 'acme_mix'
// OWN: Inputs/instructions.h:5:5: note: previous definition is here
#ifdef OWN
int acme_mix(int a, int b) { return a + b; }
kernel void test(global int *o) { o[get_global_id(0)] = acme_mix(o[get_global_id(0)], 1); }
#else
kernel void test(global int *o) {
    size_t i = get_global_id(0);
    o[i] = f(o[i], o[i + 1]);
}
#endif
