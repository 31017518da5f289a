/* SPDX-License-Identifier: Apache-2.0
 * All images, as data of the test suite. */
    .section .rodata
    .macro  image name, file
    .globl  \name
    .globl  \name\()_end
    .balign 64
\name:
    .incbin "\file"
\name\()_end:
    .endm
    image   rvl_conformance_riscv64, "kernels-riscv64.bin"
    image   rvl_conformance_riscv32, "kernels-riscv32.bin"
    image   rvl_conformance_host, "kernels-host.bin"
    .section .note.GNU-stack, "", @progbits
