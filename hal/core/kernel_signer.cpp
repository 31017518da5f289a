// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL is loaded by name, so it is needed only where kernels are signed.
#include "hal/core/kernel_signer.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "hal/protocol/signature.h"

namespace {

/// The functions of libcrypto that are used, as declared by OpenSSL 3.
struct Crypto {
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    void *(*read_key)(FILE *, void **, void *, void *) = nullptr;
    void (*free_key)(void *) = nullptr;
    void *(*new_context)() = nullptr;
    void (*free_context)(void *) = nullptr;
    int (*begin)(void *, void **, const void *, void *, void *) = nullptr;
    int (*sign)(void *, unsigned char *, size_t *, const unsigned char *, size_t) = nullptr;

    Crypto() {
        complete_ = library != nullptr && find(read_key, "PEM_read_PrivateKey") &&
                    find(free_key, "EVP_PKEY_free") && find(new_context, "EVP_MD_CTX_new") &&
                    find(free_context, "EVP_MD_CTX_free") && find(begin, "EVP_DigestSignInit") &&
                    find(sign, "EVP_DigestSign");
    }
    [[nodiscard]] bool is_complete() const { return complete_; }

private:
    template <class F> bool find(F &function, const char *name) {
        function = reinterpret_cast<F>(dlsym(library, name));
        return function != nullptr;
    }
    bool complete_;
};

/// Returns false if the file holds no key that produces signatures of RVL_SIGNATURE_BYTES.
bool sign(const Crypto &crypto, FILE *file, const std::vector<unsigned char> &message, void *to) {
    char no_passphrase[] = "";
    void *key = crypto.read_key(file, nullptr, nullptr, no_passphrase);
    void *context = key != nullptr ? crypto.new_context() : nullptr;
    size_t size = RVL_SIGNATURE_BYTES;
    const bool good = context != nullptr &&
                      crypto.begin(context, nullptr, nullptr, nullptr, key) == 1 &&
                      crypto.sign(context, static_cast<unsigned char *>(to), &size, message.data(),
                                  message.size()) == 1 &&
                      size == RVL_SIGNATURE_BYTES;
    crypto.free_context(context);
    crypto.free_key(key);
    return good;
}

/// Returns false if the file has no signature.
bool copy_signature(const void *file, size_t bytes, void *to) {
    rvl_signature_trailer trailer;
    if (bytes < sizeof trailer)
        return false;
    std::memcpy(&trailer, static_cast<const char *>(file) + bytes - sizeof trailer, sizeof trailer);
    std::memcpy(to, trailer.signature, sizeof trailer.signature);
    return std::memcmp(trailer.magic, RVL_SIGNATURE_MAGIC, sizeof trailer.magic) == 0;
}

} // namespace

const char *rivulet_sign_kernel(const char *key_path, const void *code, size_t bytes,
                                const void *file, size_t file_bytes, void *signature) try {
    if (key_path == nullptr)
        return copy_signature(file, file_bytes, signature)
                   ? nullptr
                   : "This device runs signed kernels only: name a key in RIVULET_SIGN_KEY, or "
                     "load "
                     "a binary that `rivulet sign` has signed.\n";
    static const Crypto crypto;
    if (!crypto.is_complete())
        return "Kernels can't be signed: libcrypto.so.3 (OpenSSL) is not installed.\n";
    rvl_kernel_statement statement{};
    std::memcpy(statement.what, RVL_KERNEL_STATEMENT, sizeof RVL_KERNEL_STATEMENT);
    statement.bytes = bytes;
    std::vector<unsigned char> message(sizeof statement + bytes);
    std::memcpy(message.data(), &statement, sizeof statement);
    std::memcpy(message.data() + sizeof statement, code, bytes);
    const std::unique_ptr<FILE, int (*)(FILE *)> key(std::fopen(key_path, "re"), &std::fclose);
    return key && sign(crypto, key.get(), message, signature)
               ? nullptr
               : "The file that RIVULET_SIGN_KEY names is no private Ed25519 key that can be "
                 "read.\n";
} catch (const std::bad_alloc &) {
    return "Kernels can't be signed: out of memory.\n";
}
