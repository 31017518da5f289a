/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction of each extension that kernels may be built with, for harts to probe
 * (extensions.c): legal if the extension is implemented, illegal otherwise. Rows have three
 * instructions and are called with the address of a word in a0; vector rows name the element
 * type and run with vl = 0. The names are in row order. */
        .section .text.extensions, "ax"
        .option norvc
        .balign 4
        .globl riscv_extension_rows
riscv_extension_rows:

        .pushsection .rodata.extension_names, "a"
        .globl riscv_extension_names
riscv_extension_names:
        .popsection

        .macro  row name, needs, elements, instruction:vararg
        .pushsection .rodata.extension_names, "a"
        .asciz  "\name"
        .popsection
        .option push
        .option arch, +\needs
        .ifc    \elements, none
        nop
        .else
        vsetivli zero, 0, \elements, m4, ta, ma
        .endif
        \instruction
        ret
        .option pop
        .endm

        row     f, f, none, fmv.x.w t0, f0
        row     d, d, none, fclass.d t0, f0
        row     b, zba, none, sh1add t0, t0, t0
        row     zba, zba, none, sh1add t0, t0, t0
        row     zbb, zbb, none, clz t0, t0
        row     zbc, zbc, none, clmulr t0, t0, t0
        row     zbs, zbs, none, bext t0, t0, t0
        row     zbkb, zbkb, none, brev8 t0, t0
        row     zbkc, zbkc, none, clmul t0, t0, t0
        row     zbkx, zbkx, none, xperm8 t0, t0, t0
        row     zcb, m, none, .4byte 0x00019d75 /* c.not a0; c.nop */
        row     zicond, zicond, none, czero.eqz t0, t0, t0
        row     zimop, zimop, none, mop.r.0 t0, t0
        row     zacas, zacas, none, amocas.w t0, t1, (a0)
        row     zabha, zabha, none, amoadd.b t0, t1, (a0)
        row     zawrs, zawrs, none, wrs.sto
        row     zfa, zfa, none, fli.s f0, 1.0
        row     zfhmin, zfhmin, none, fmv.x.h t0, f0
        row     zfh, zfh, none, fclass.h t0, f0
        row     zfbfmin, zfbfmin, none, fcvt.s.bf16 f0, f0
        row     zknh, zknh, none, sha256sum0 t0, t0
        row     zksed, zksed, none, sm4ed t0, t0, t0, 0
        row     zksh, zksh, none, sm3p0 t0, t0
        row     v, v, e64, vfadd.vv v8, v8, v8
        row     zvfhmin, zvfhmin, e16, vfwcvt.f.f.v v8, v4
        row     zvfh, zvfh, e16, vfadd.vv v8, v8, v8
        row     zvfbfmin, zvfbfmin, e16, vfwcvtbf16.f.f.v v8, v4
        row     zvfbfwma, zvfbfwma, e16, vfwmaccbf16.vv v8, v4, v4
        row     zvkb, zvkb, e32, vandn.vv v8, v8, v8
        row     zvbb, zvbb, e32, vclz.v v8, v8
        row     zvbc, zvbc, e64, vclmul.vv v8, v8, v8
        row     zvkg, zvkg, e32, vgmul.vv v8, v4
        row     zvkned, zvkned, e32, vaesz.vs v8, v4
        row     zvknha, zvknha, e32, vsha2ms.vv v8, v4, v12
        row     zvknhb, zvknhb, e64, vsha2ms.vv v8, v4, v12
        row     zvksed, zvksed, e32, vsm4r.vv v8, v4
        row     zvksh, zvksh, e32, vsm3me.vv v8, v4, v12
        .globl riscv_extension_rows_end
riscv_extension_rows_end:
        .if     riscv_extension_rows_end - riscv_extension_rows > 64 * 12
        .error  "a set of extensions has 64 bits"
        .endif

        .section .rodata.extension_names, "a"
        .asciz  ""

        .section .note.GNU-stack, "", @progbits
