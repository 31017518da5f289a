/* SPDX-License-Identifier: Apache-2.0
 *
 * sign.so: signs kernels with the key in RIVULET_SIGN_KEY. A separate shared object, loaded when
 * the first kernel has to be signed, to keep the library small. */
#ifndef RIVULET_KERNEL_SIGNER_H
#define RIVULET_KERNEL_SIGNER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes RVL_SIGNATURE_BYTES, the signature of the statement and `code`
 * (hal/protocol/signature.h): made with the key if there is one, otherwise copied from `file`.
 * Returns null, or a line that says why there is no signature. */
__attribute__((visibility("default"))) const char *
rivulet_sign_kernel(const char *key_path, const void *code, size_t bytes, const void *file,
                    size_t file_bytes, void *signature);

#ifdef __cplusplus
}
#endif
#endif
