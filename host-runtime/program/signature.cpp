// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL is loaded by the first program that has to be signed: nobody else needs it.
#include "host-runtime/program/signature.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

#include "hal/core/environment.h"
#include "hal/core/error.h"
#include "hal/protocol/signature.h"

namespace rivulet {
namespace {

/// The functions of libcrypto that are used, by their declarations in OpenSSL 3.
struct Crypto {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    void *(*read_key)(FILE *, void **, void *, void *) = nullptr;
    void (*free_key)(void *) = nullptr;
    void *(*new_context)() = nullptr;
    void (*free_context)(void *) = nullptr;
    int (*begin)(void *, void **, const void *, void *, void *) = nullptr;
    int (*sign)(void *, unsigned char *, size_t *, const unsigned char *, size_t) = nullptr;

    Crypto() {
        complete_ = library && find(read_key, "PEM_read_PrivateKey") &&
                    find(free_key, "EVP_PKEY_free") && find(new_context, "EVP_MD_CTX_new") &&
                    find(free_context, "EVP_MD_CTX_free") && find(begin, "EVP_DigestSignInit") &&
                    find(sign, "EVP_DigestSign");
    }
    [[nodiscard]] bool is_complete() const { return complete_; }

private:
    template <class F> bool find(F &function, const char *name) {
        function = reinterpret_cast<F>(dlsym(library, name));
        return function;
    }
    bool complete_;
};

bool sign(const Crypto &crypto, FILE *file, std::span<const std::byte> message,
          KernelSignature &to) {
    char no_passphrase[] = "";
    void *key = crypto.read_key(file, nullptr, nullptr, no_passphrase);
    void *context = key ? crypto.new_context() : nullptr;
    size_t size = to.size();
    const bool good =
        context && crypto.begin(context, nullptr, nullptr, nullptr, key) == 1 &&
        crypto.sign(context, reinterpret_cast<unsigned char *>(to.data()), &size,
                    reinterpret_cast<const unsigned char *>(message.data()), message.size()) == 1 &&
        size == to.size();
    crypto.free_context(context);
    crypto.free_key(key);
    return good;
}

std::expected<KernelSignature, std::string> sign(const char *path,
                                                 std::span<const std::byte> code) {
    static const Crypto crypto;
    if (!crypto.is_complete())
        return std::unexpected("Kernels can't be signed: libcrypto.so.3 (OpenSSL) is missing.\n");
    rvl_kernel_statement statement{};
    std::memcpy(statement.what, RVL_KERNEL_STATEMENT, sizeof RVL_KERNEL_STATEMENT);
    statement.bytes = code.size();
    KernelSignature signature(RVL_SIGNATURE_BYTES), message(sizeof statement + code.size());
    std::memcpy(message.data(), &statement, sizeof statement);
    std::memcpy(message.data() + sizeof statement, code.data(), code.size());
    FILE *file = std::fopen(path, "re");
    const bool good = file && sign(crypto, file, message, signature);
    if (file)
        std::fclose(file);
    if (!good)
        return std::unexpected(hal::text({"RIVULET_SIGN_KEY: ", path,
                                          " is no private Ed25519 key "
                                          "that can be read.\n"}));
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
