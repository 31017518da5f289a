// SPDX-License-Identifier: Apache-2.0
//
// The device's Ed25519 and SHA-512 against the vectors of RFC 8032 (7.1), against OpenSSL, and with
// what strict verification refuses.
#include <openssl/evp.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "device-firmware/signature/ed25519.h"
#include "device-firmware/signature/sha512.h"
}

namespace rivulet::firmware {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes hex(std::string_view text) {
    Bytes bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(
            static_cast<uint8_t>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    return bytes;
}

bool verify(const Bytes &key, const Bytes &signature, const Bytes &message) {
    // In two parts, as the firmware gives it.
    const size_t half = message.size() / 2;
    const ed25519_part parts[] = {{message.data(), half},
                                  {message.data() + half, message.size() - half}};
    return ed25519_verify(key.data(), signature.data(), parts, 2);
}

/// The host's tools ask OpenSSL.
bool verify_on_host(const Bytes &key, const Bytes &signature, const Bytes &message) {
    EVP_PKEY *parsed =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size());
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool good = EVP_DigestVerifyInit(context, nullptr, nullptr, nullptr, parsed) == 1 &&
                      EVP_DigestVerify(context, signature.data(), signature.size(), message.data(),
                                       message.size()) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(parsed);
    return good;
}

struct Vector {
    const char *key, *message, *signature;
};
constexpr Vector rfc_8032[] = {
    {"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b"
     "4"
     "6bd25bf5f0595bbe24655141438e7a100b"},
    {"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11"
     "d"
     "8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc"
     "6"
     "594a7c15e9716ed28dc027beceea1ec40a"},
    // The message of "TEST SHA(abc)" is a SHA-512 itself.
    {"ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3fee"
     "b"
     "bd454d4423643ce80e2a9ac94fa54ca49f",
     "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e"
     "03"
     "03dca179c138ac17ad9bef1177331a704"},
};

TEST(Signature, TakesTheVectorsOfRfc8032) {
    for (const auto &vector : rfc_8032) {
        const Bytes key = hex(vector.key), signature = hex(vector.signature);
        EXPECT_TRUE(verify(key, signature, hex(vector.message))) << vector.key;
        EXPECT_TRUE(verify_on_host(key, signature, hex(vector.message))) << vector.key;
    }
}

TEST(Signature, RefusesEachAlteredBit) {
    for (const auto &vector : rfc_8032) {
        const Bytes key = hex(vector.key), signature = hex(vector.signature),
                    message = hex(vector.message);
        for (size_t bit = 0; bit < 8 * signature.size(); bit += 3) {
            Bytes altered = signature;
            altered[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            EXPECT_FALSE(verify(key, altered, message)) << bit;
        }
        for (size_t bit = 0; bit < 8 * key.size(); bit += 3) {
            Bytes altered = key;
            altered[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            EXPECT_FALSE(verify(altered, signature, message)) << bit;
        }
        Bytes longer = message;
        longer.push_back(0);
        EXPECT_FALSE(verify(key, signature, longer));
    }
}

// 5.1.7: S is below the group's order. The same signature with S + L is right modulo L.
TEST(Signature, RefusesOtherFormsOfS) {
    const Bytes order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    for (const auto &vector : rfc_8032) {
        Bytes signature = hex(vector.signature);
        for (int multiple = 1; multiple <= 8; ++multiple) {
            unsigned carry = 0;
            for (size_t i = 0; i < order.size(); ++i) {
                carry += signature[32 + i] + order[i];
                signature[32 + i] = static_cast<uint8_t>(carry);
                carry >>= 8;
            }
            EXPECT_FALSE(verify(hex(vector.key), signature, hex(vector.message))) << multiple;
            EXPECT_FALSE(verify_on_host(hex(vector.key), signature, hex(vector.message)))
                << multiple;
        }
    }
}

// With such keys, signatures of any message can be made.
TEST(Signature, RefusesKeysOfSmallOrderAndOtherForms) {
    const char *const keys[] = {
        "0100000000000000000000000000000000000000000000000000000000000000", // the neutral element
        "0100000000000000000000000000000000000000000000000000000000000080", // … with the sign of 0
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // order 2
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0000000000000000000000000000000000000000000000000000000000000000", // order 4
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", // order 8
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // y = p, for 0
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // y = p + 1, for 1
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // y = 2^255 - 1
        "0200000000000000000000000000000000000000000000000000000000000000", // no point of the curve
    };
    const char *const rs[] = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };
    for (const char *key : keys)
        for (const char *r : rs)
            for (uint8_t message = 0; message < 8; ++message) {
                Bytes signature = hex(r);
                signature.resize(64); // S = 0
                EXPECT_FALSE(verify(hex(key), signature, {message})) << key;
            }
}

TEST(Signature, AgreesWithOpenSsl) {
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        EVP_PKEY *key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
        ASSERT_NE(key, nullptr);
        Bytes open(32), signature(64), message(random() % 3000);
        for (auto &byte : message)
            byte = static_cast<uint8_t>(random());
        size_t size = open.size();
        ASSERT_EQ(EVP_PKEY_get_raw_public_key(key, open.data(), &size), 1);
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        size = signature.size();
        ASSERT_EQ(EVP_DigestSignInit(context, nullptr, nullptr, nullptr, key), 1);
        ASSERT_EQ(EVP_DigestSign(context, signature.data(), &size, message.data(), message.size()),
                  1);
        EVP_MD_CTX_free(context);
        EVP_PKEY_free(key);
        EXPECT_TRUE(verify(open, signature, message)) << round;
        if (!message.empty()) {
            message[random() % message.size()] ^= 1;
            EXPECT_FALSE(verify(open, signature, message)) << round;
        }
        Bytes digest(64), ours(64);
        ASSERT_EQ(EVP_Q_digest(nullptr, "SHA512", nullptr, message.data(), message.size(),
                               digest.data(), nullptr),
                  1);
        sha512 hash;
        sha512_begin(&hash);
        for (size_t at = 0; at < message.size();) { // pieces of any size
            const size_t piece = std::min<size_t>(random() % 300, message.size() - at);
            sha512_add(&hash, message.data() + at, piece);
            at += piece;
        }
        sha512_end(&hash, ours.data());
        EXPECT_EQ(ours, digest) << message.size();
    }
}

// Padding takes one block or two.
TEST(Signature, HashesEachLengthAroundABlock) {
    for (size_t length = 0; length <= 300; ++length) {
        const Bytes message(length, 'x');
        Bytes digest(64), ours(64);
        ASSERT_EQ(EVP_Q_digest(nullptr, "SHA512", nullptr, message.data(), length, digest.data(),
                               nullptr),
                  1);
        sha512 hash;
        sha512_begin(&hash);
        sha512_add(&hash, message.data(), length);
        sha512_end(&hash, ours.data());
        EXPECT_EQ(ours, digest) << length;
    }
}

} // namespace
} // namespace rivulet::firmware
