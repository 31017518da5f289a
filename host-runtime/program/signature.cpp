// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/signature.h"

#include <dlfcn.h>

#include "base/data_directory.h"
#include "base/environment.h"
#include "hal/core/kernel_signer.h"

namespace rivulet {

const char *find_signature(const KernelImage &image, KernelSignature &signature) {
    void *library = dlopen((find_driver_directory() + "/sign.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto sign = library != nullptr ? reinterpret_cast<decltype(&rivulet_sign_kernel)>(
                                               dlsym(library, "rivulet_sign_kernel"))
                                         : nullptr;
    if (sign == nullptr)
        return "Kernels can't be signed: sign.so is missing; install all of lib/rivulet.\n";
    const auto memory = image.relocated_to(0); // does not change the code
    const auto file = image.file();
    return sign(environment(Variable::sign_key), memory.data(), image.code_bytes(), file.data(),
                file.size(), signature.data());
}

bool signs_compiled_code() { return environment(Variable::sign_key) != nullptr; }

} // namespace rivulet
