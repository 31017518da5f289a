#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of sub-groups run instructions that combine neighbouring elements: AES by Zvkned."""
import pathlib
import tempfile
import unittest

from programs import BUILD, ProgramTest, run

KERNEL = """
#ifndef __riscv_zvkned
#error this device has no Zvkned
#endif
#include <riscv_vector.h>
#define NEXT(round, from) __riscv_vaeskf1_vi_u32m1(from, round, 4)
__attribute__((rivulet_sub_group))
void encrypt_blocks(global uint *data, global const uint *key, uint n) {
    vuint32m1_t k0 = __riscv_vle32_v_u32m1(key, 4), k1 = NEXT(1, k0), k2 = NEXT(2, k1), k3 = NEXT(3, k2),
                k4 = NEXT(4, k3), k5 = NEXT(5, k4), k6 = NEXT(6, k5), k7 = NEXT(7, k6),
                k8 = NEXT(8, k7), k9 = NEXT(9, k8), k10 = NEXT(10, k9);
    for (size_t done = 0, vl; done < n; done += vl) {
        vl = __riscv_vsetvl_e32m4(n - done);
        vuint32m4_t v = __riscv_vle32_v_u32m4(data + done, vl);
        v = __riscv_vaesz_vs_u32m1_u32m4(v, k0, vl);
#define ROUND(key) v = __riscv_vaesem_vs_u32m1_u32m4(v, key, vl)
        ROUND(k1); ROUND(k2); ROUND(k3); ROUND(k4); ROUND(k5); ROUND(k6); ROUND(k7); ROUND(k8); ROUND(k9);
        v = __riscv_vaesef_vs_u32m1_u32m4(v, k10, vl);
        __riscv_vse32(data + done, v, vl);
    }
}
// A work-item is a word: four are a block.
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void encrypt(global uint *data, global const uint *key) {
    uint first = get_global_id(0) - get_sub_group_local_id();
    encrypt_blocks(data + sub_group_broadcast(first, 0), key, get_sub_group_size());
}
"""
# NIST SP 800-38A, F.1.1
KEY = "2b7e151628aed2a6abf7158809cf4f3c"
PLAIN = ("6bc1bee22e409f96e93d7e117393172a" "ae2d8a571e03ac9c9eb76fac45af8e51"
         "30c81c46a35ce411e5fbc1191a0a52ef" "f69f2445df4f9b17ad2b417be66c3710")
CIPHER = ("3ad77bb40d7a3660a89ecaf32466ef97" "f5d3d58503b9699de785895a96fdbaaf"
          "43b1cd7f598ece23881b00e3ed030688" "7b0c785e27e8ad3f8223207104725dd4")
TIMES = 16


class Instructions(ProgramTest):
    def encrypt(self, machine):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "aes.cl").write_text(KERNEL)
            for file, text in ("plain", PLAIN * TIMES), ("key", KEY), ("cipher", CIPHER * TIMES):
                (folder / file).write_bytes(bytes.fromhex(text))
            return run(BUILD / "bin/rivulet", "run", folder / "aes.cl", "encrypt", folder / "plain",
                       folder / "key", "--options", "-cl-std=CL3.0", "--expect", f"0={folder}/cipher",
                       RIVULET_MACHINE=machine)

    def test_aes_of_the_standard(self):
        process = self.encrypt("rv64-v256-crypto,harts=2")
        self.assertEqual(process.returncode, 0, process)

    def test_macro_is_undefined_without_the_extension(self):
        self.assert_fails(self.encrypt("rv64-v256,harts=2"), "this device has no Zvkned")


if __name__ == "__main__":
    unittest.main()
