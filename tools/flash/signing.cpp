// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/signing.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

#include "base/file_descriptor.h"
#include "base/read_file.h"

namespace rivulet::flash {
namespace {

template <auto free> struct Free {
    template <class T> void operator()(T *object) const { free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Memory = std::unique_ptr<BIO, Free<BIO_free_all>>;

const unsigned char *octets(View bytes) {
    return reinterpret_cast<const unsigned char *>(bytes.data());
}

/// Never prompts for a passphrase: keys that have one are rejected.
int no_passphrase(char * /*to*/, int /*size*/, int /*writing*/, void * /*user*/) { return 0; }

Key parse(const std::string &pem, bool is_private) {
    const Memory memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    Key key(!memory      ? nullptr
            : is_private ? PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr)
                         : PEM_read_bio_PUBKEY(memory.get(), nullptr, no_passphrase, nullptr));
    if (key && EVP_PKEY_id(key.get()) != EVP_PKEY_ED25519)
        key.reset();
    return key;
}

Result<PublicKey> public_part(const Key &key, const std::string &path) {
    PublicKey bytes;
    size_t size = bytes.size();
    if (EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char *>(bytes.data()),
                                    &size) != 1)
        return fail(RVL_INVALID, {path, ": OpenSSL can't read the key"});
    return bytes;
}

using Number = std::unique_ptr<BIGNUM, Free<BN_free>>;

Number prime() { // 2^255 - 19
    Number p(BN_new());
    if (!p || BN_set_bit(p.get(), 255) != 1 || BN_sub_word(p.get(), 19) != 1)
        return nullptr;
    return p;
}

/// True if devices accept the key (device-firmware/signature); they are stricter than OpenSSL. It
/// must be the canonical encoding of a point on -x^2 + y^2 = 1 + d x^2 y^2, d = -121665/121666,
/// whose order is not 1, 2, 4 or 8. With n = 121665 and m = 121666, the point satisfies x^2 = (y^2
/// - 1) m / (m - n y^2), and these orders correspond to y = 1, y = -1, y = 0 and n y^4 - 2 m y^2 +
/// m = 0.
bool is_strict(const PublicKey &key) {
    constexpr BN_ULONG n = 121665, m = 121666;
    PublicKey bytes = key;
    bytes.back() &= std::byte{0x7f}; // the sign of x
    const Number p = prime(),
                 y(BN_lebin2bn(octets(bytes), static_cast<int>(bytes.size()), nullptr));
    const Number square(BN_new()), above(BN_new()), below(BN_new()), eighth(BN_new());
    const std::unique_ptr<BN_CTX, Free<BN_CTX_free>> context(BN_CTX_new());
    if (!p || !y || !square || !above || !below || !eighth || !context ||
        BN_cmp(y.get(), p.get()) >= 0)
        return false;
    BIGNUM *const a = above.get(), *const b = below.get(), *const e = eighth.get();
    // a = (y^2 - 1) m, b = m - n y^2, e = y^2 (n y^2 - 2 m) + m = m - y^2 (b + m)
    if (BN_mod_sqr(square.get(), y.get(), p.get(), context.get()) != 1 ||
        BN_copy(a, square.get()) == nullptr || BN_sub_word(a, 1) != 1 || BN_mul_word(a, m) != 1 ||
        BN_copy(b, square.get()) == nullptr || BN_mul_word(b, n) != 1 || BN_sub_word(b, m) != 1)
        return false;
    BN_set_negative(b, !BN_is_negative(b));
    if (BN_copy(e, b) == nullptr || BN_add_word(e, m) != 1 ||
        BN_mod_mul(e, e, square.get(), p.get(), context.get()) != 1 || BN_sub_word(e, m) != 1 ||
        BN_nnmod(e, e, p.get(), context.get()) != 1 ||
        BN_mod_mul(b, b, a, p.get(), context.get()) != 1)
        return false;
    // Now b is x^2 times a square: 0 for y = 1 and y = -1, otherwise 1 or -1 tells whether a root
    // exists.
    return !BN_is_zero(y.get()) && !BN_is_zero(e) && BN_kronecker(b, p.get(), context.get()) == 1;
}

Result<std::string> read_text(const std::string &path) {
    const auto file = read_file(path);
    if (!file)
        return std::unexpected(file.error());
    return std::string(reinterpret_cast<const char *>(file->data()), file->size());
}

Result<> write_new(const std::string &path, const std::string &text, int mode) {
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file)
        return fail(RVL_IO, {"cannot create ", path, ": ", errno_text(errno),
                             errno == EEXIST ? "; keys are never overwritten" : ""});
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
        fsync(file.get()) != 0) {
        const int error = errno;
        unlink(path.c_str());
        return fail(RVL_IO, {"cannot write ", path, ": ", errno_text(error)});
    }
    return {};
}

std::string contents(const Memory &memory) {
    char *data = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &data);
    return {data, static_cast<size_t>(size)};
}

} // namespace

Result<SigningKey> SigningKey::read(const std::string &path) {
    auto pem = read_text(path);
    if (!pem)
        return std::unexpected(pem.error());
    SigningKey result;
    result.pem_ = std::move(*pem);
    const Key key = parse(result.pem_, true);
    if (!key)
        return fail(RVL_INVALID, {path, " is no private Ed25519 key in PEM, without a passphrase; "
                                        "rivulet sign --new-key makes one"});
    const auto bytes = public_part(key, path);
    if (!bytes)
        return std::unexpected(bytes.error());
    result.public_ = *bytes;
    return result;
}

Result<> SigningKey::create(const std::string &path) {
    const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    const Memory secret(BIO_new(BIO_s_mem())), open(BIO_new(BIO_s_mem()));
    if (!key || !secret || !open ||
        PEM_write_bio_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
            1 ||
        PEM_write_bio_PUBKEY(open.get(), key.get()) != 1)
        return fail(RVL_IO, "OpenSSL can't make a key");
    if (auto written = write_new(path, contents(secret), 0600); !written)
        return written;
    auto written = write_new(path + ".pub", contents(open), 0644);
    if (!written)
        unlink(path.c_str());
    return written;
}

Result<Signature> SigningKey::sign(View message) const {
    const Key key = parse(pem_, true);
    const Context context(EVP_MD_CTX_new());
    Signature signature;
    size_t size = signature.size();
    if (!key || !context ||
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char *>(signature.data()), &size,
                       octets(message), message.size()) != 1)
        return fail(RVL_IO, "OpenSSL can't sign");
    return signature;
}

Result<PublicKey> read_public_key(const std::string &path) {
    const auto pem = read_text(path);
    if (!pem)
        return std::unexpected(pem.error());
    const Key key = parse(*pem, false);
    if (!key)
        return fail(RVL_INVALID, {path, " is no public Ed25519 key in PEM"});
    auto bytes = public_part(key, path);
    if (bytes && !is_strict(*bytes))
        return fail(RVL_INVALID,
                    {path, " is a key that devices refuse: it is of small order or not "
                           "the encoding of a point; rivulet sign --new-key makes one"});
    return bytes;
}

bool is_signed(const PublicKey &key, const Signature &signature, View message) {
    const Key parsed(
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, octets(key), key.size()));
    const Context context(EVP_MD_CTX_new());
    return parsed && context &&
           EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, parsed.get()) == 1 &&
           EVP_DigestVerify(context.get(), octets(signature), signature.size(), octets(message),
                            message.size()) == 1;
}

Digest sha512(std::initializer_list<View> parts) {
    const Context context(EVP_MD_CTX_new());
    Digest digest{};
    EVP_DigestInit_ex(context.get(), EVP_sha512(), nullptr);
    for (const auto part : parts)
        EVP_DigestUpdate(context.get(), part.data(), part.size());
    EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char *>(digest.data()), nullptr);
    return digest;
}

std::optional<rvl_signature_trailer> find_trailer(View file) {
    rvl_signature_trailer trailer;
    if (file.size() < sizeof trailer)
        return std::nullopt;
    std::memcpy(&trailer, file.last(sizeof trailer).data(), sizeof trailer);
    if (std::memcmp(trailer.magic, RVL_SIGNATURE_MAGIC, sizeof trailer.magic) != 0)
        return std::nullopt;
    return trailer;
}

View without_trailer(View file) {
    return find_trailer(file) ? file.first(file.size() - sizeof(rvl_signature_trailer)) : file;
}

uint64_t new_sequence(const WantedNumbers &wanted, std::optional<uint64_t> newest) {
    if (wanted.sequence)
        return *wanted.sequence;
    const auto now = static_cast<uint64_t>(std::time(nullptr));
    return newest && !rvl_is_newer(now, *newest) ? *newest + 1 : now;
}

std::optional<Numbers> numbers_of(const rvl_signature_trailer &trailer) {
    if (trailer.format != RVL_FIRMWARE_FORMAT)
        return std::nullopt;
    return Numbers{trailer.sequence, trailer.security_version};
}

Bytes with_trailer(View file, const Signature &signature, const PublicKey &key,
                   const std::optional<Numbers> &numbers) {
    rvl_signature_trailer trailer{};
    std::memcpy(trailer.signature, signature.data(), signature.size());
    std::memcpy(trailer.key, key.data(), key.size());
    std::memcpy(trailer.magic, RVL_SIGNATURE_MAGIC, sizeof trailer.magic);
    if (numbers) {
        trailer.sequence = numbers->sequence;
        trailer.security_version = numbers->security_version;
        trailer.format = RVL_FIRMWARE_FORMAT;
    }
    const auto plain = without_trailer(file);
    Bytes all(plain.begin(), plain.end());
    const auto bytes = std::as_bytes(std::span(&trailer, 1));
    all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
}

} // namespace rivulet::flash
