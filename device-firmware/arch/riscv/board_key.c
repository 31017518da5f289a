/* SPDX-License-Identifier: Apache-2.0
 *
 * The board's public key (key.pub in its folder); kernels have to be signed with its counterpart.
 */
#include "board.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/signature/ed25519.h"
#include "hal/protocol/signature.h"

#ifndef BOARD_SIGNED_KERNELS /* rivulet,signed-kernels of /chosen */
#define BOARD_SIGNED_KERNELS 1
#endif

#if defined(BOARD_KEY) && BOARD_SIGNED_KERNELS
static const uint8_t key[RVL_PUBLIC_KEY_BYTES] = {BOARD_KEY};

const uint8_t *riscv_kernel_key(void) { return key; }

bool arch_is_signed(const firmware *f, const uint8_t *signature, const void *code, size_t bytes) {
    const rvl_kernel_statement statement = {.what = RVL_KERNEL_STATEMENT, .bytes = bytes};
    const ed25519_part parts[] = {{&statement, sizeof statement}, {code, bytes}};
    return ed25519_verify(f->kernel_key, signature, parts, 2);
}
#else
const uint8_t *riscv_kernel_key(void) { return NULL; }

bool arch_is_signed(const firmware *f, const uint8_t *signature, const void *code, size_t bytes) {
    (void)f, (void)signature, (void)code, (void)bytes;
    return false;
}
#endif
