// SPDX-License-Identifier: Apache-2.0
// Every stage can be looked at.
// RUN: %cc %s --emit=ast | FileCheck --check-prefix=AST %s
// RUN: %cc %s --emit=llvm | FileCheck --check-prefix=LLVM %s
// RUN: %cc %s --emit=spmd | FileCheck --check-prefix=SPMD %s
// RUN: %cc %s --emit=asm | FileCheck --check-prefix=ASM %s
// RUN: not %cc %s 2>&1 | FileCheck --check-prefix=UNNAMED %s
// RUN: not %cc %s --emit=poem 2>&1 | FileCheck --check-prefix=POEM %s
// RUN: %cc %s --emit=object -o %t && not %cc %t --emit=ast 2>&1 | FileCheck --check-prefix=OBJECT %s
// RUN: not %cc %S -o %t 2>&1 | FileCheck --check-prefix=FOLDER %s

// AST: FunctionDecl {{.*}} twice 'void (__global int *__private)
// LLVM: define {{.*}}void @twice(ptr addrspace(1) {{.*}}%a)
// LLVM: call i64 @_Z13get_global_idj(i32
// SPMD: define {{.*}}void @twice(ptr {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}}, ptr {{[^,]*}}, i32 {{.*}})
// ASM: twice:
// ASM: ret
// UNNAMED: rivulet-cc: name the output: -o FILE
// POEM: --emit: poem not in {asm,ast,image,llvm,object,spmd}
// OBJECT: rivulet-cc: only a source file has a syntax tree
// FOLDER: rivulet-cc: cannot read '{{.*}}': Is a directory
kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }
