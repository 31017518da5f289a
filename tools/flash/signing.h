// SPDX-License-Identifier: Apache-2.0
//
// Ed25519 keys in PEM files, and signatures made with them (hal/protocol/signature.h), using
// OpenSSL.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "hal/protocol/signature.h"

namespace rivulet::flash {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;
using Signature = std::array<std::byte, RVL_SIGNATURE_BYTES>;
using PublicKey = std::array<std::byte, RVL_PUBLIC_KEY_BYTES>;
using Digest = std::array<std::byte, 64>;

/// In the firmware statement (hal/protocol/signature.h).
struct Numbers {
    uint64_t sequence = 0;
    uint32_t security_version = 0;
};
/// User-specified values: --sequence and --security-version.
struct WantedNumbers {
    std::optional<uint64_t> sequence;
    std::optional<uint32_t> security_version;
};
/// Signers need not keep count: by default, the sequence number is the time in seconds, or one more
/// than `newest`.
uint64_t new_sequence(const WantedNumbers &wanted, std::optional<uint64_t> newest = {});

class SigningKey {
public:
    static Result<SigningKey> read(const std::string &path);
    /// Writes the private key to `path`, which must not exist, and the public key to `path`.pub.
    static Result<> create(const std::string &path);

    [[nodiscard]] const PublicKey &public_key() const { return public_; }
    [[nodiscard]] Result<Signature> sign(View message) const;

private:
    std::string pem_;
    PublicKey public_{};
};

Result<PublicKey> read_public_key(const std::string &path);
bool is_signed(const PublicKey &key, const Signature &signature, View message);

/// SHA-512 of the concatenated parts.
Digest sha512(std::initializer_list<View> parts);

// The trailer of signed ELF files.
std::optional<rvl_signature_trailer> find_trailer(View file);
View without_trailer(View file);
/// A kernel image has no numbers.
Bytes with_trailer(View file, const Signature &signature, const PublicKey &key,
                   const std::optional<Numbers> &numbers);
/// nullopt for kernel images, and for firmware of the first format, whose signature covers none.
std::optional<Numbers> numbers_of(const rvl_signature_trailer &trailer);

} // namespace rivulet::flash
