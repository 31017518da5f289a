// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/signature.h"

#include <cstring>
#include <dlfcn.h>

#include "hal/core/drivers.h"
#include "hal/core/environment.h"
#include "hal/core/error.h"
#include "hal/core/kernel_signer.h"
#include "hal/protocol/signature.h"

namespace rivulet {
namespace {

std::expected<KernelSignature, std::string> sign(const char *key_path,
                                                 std::span<const std::byte> code) {
    void *library =
        dlopen((hal::find_driver_directory() + "/sign.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto sign_kernel = library != nullptr ? reinterpret_cast<decltype(&rivulet_sign_kernel)>(
                                                      dlsym(library, "rivulet_sign_kernel"))
                                                : nullptr;
    KernelSignature signature(RVL_SIGNATURE_BYTES);
    const char *problem = sign_kernel != nullptr
                              ? sign_kernel(key_path, code.data(), code.size(), signature.data())
                              : "sign.so is missing; install all of lib/rivulet";
    if (problem != nullptr)
        return std::unexpected(hal::text({"RIVULET_SIGN_KEY=", key_path, ": ", problem, "\n"}));
    return signature;
}

} // namespace

std::expected<KernelSignature, std::string> signature_of(const KernelImage &image) {
    if (const char *path = hal::environment(hal::Variable::sign_key)) {
        const auto memory = image.relocated_to(0); // which changes nothing of the code
        return sign(path, std::span(memory).first(image.code_bytes()));
    }
    rvl_signature_trailer trailer;
    const auto file = image.file();
    if (file.size() >= sizeof trailer) {
        std::memcpy(&trailer, file.last(sizeof trailer).data(), sizeof trailer);
        const auto *bytes = reinterpret_cast<const std::byte *>(trailer.signature);
        if (std::memcmp(trailer.magic, RVL_SIGNATURE_MAGIC, sizeof trailer.magic) == 0)
            return KernelSignature(bytes, bytes + sizeof trailer.signature);
    }
    return std::unexpected("This device runs signed kernels only: name a key in RIVULET_SIGN_KEY, "
                           "or load a binary that `rivulet sign` has signed.\n");
}

} // namespace rivulet
