// SPDX-License-Identifier: Apache-2.0
//
// The device's Ed25519 and SHA-512 against the vectors of RFC 8032 (7.1), against OpenSSL, and on
// inputs that strict verification rejects.
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
    // Split in two parts, as the firmware passes it.
    const size_t half = message.size() / 2;
    const ed25519_part parts[] = {{message.data(), half},
                                  {message.data() + half, message.size() - half}};
    return ed25519_verify(key.data(), signature.data(), parts, 2);
}

/// The host's tools verify with OpenSSL.
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
    // "TEST 1024": 1,023 bytes, eight blocks of the hash and a part.
    {"278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
     "08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264bf09efe12ee50f8f54e9f"
     "77b1e355f6c50544e23fb1433ddf73be84d879de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37c93a1b27"
     "0b20329d658675fc6ea534e0810a4432826bf58c941efb65d57a338bbd2e26640f89ffbc1a858efcb8550ee3a5e1"
     "998bd177e93a7363c344fe6b199ee5d02e82d522c4feba15452f80288a821a579116ec6dad2b3b310da903401aa6"
     "2100ab5d1a36553e06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573cb116dbefefd75499da96"
     "bd68a8a97b928a8bbc103b6621fcde2beca1231d206be6cd9ec7aff6f6c94fcd7204ed3455c68c83f4a41da4af2b"
     "74ef5c53f1d8ac70bdcb7ed185ce81bd84359d44254d95629e9855a94a7c1958d1f8ada5d0532ed8a5aa3fb2d17b"
     "a70eb6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24554119a831a9aad6079cad88425de6bd"
     "e1a9187ebb6092cf67bf2b13fd65f27088d78b7e883c8759d2c4f5c65adb7553878ad575f9fad878e80a0c9ba63b"
     "cbcc2732e69485bbc9c90bfbd62481d9089beccf80cfe2df16a2cf65bd92dd597b0707e0917af48bbb75fed413d2"
     "38f5555a7a569d80c3414a8d0859dc65a46128bab27af87a71314f318c782b23ebfe808b82b0ce26401d2e22f04d"
     "83d1255dc51addd3b75a2b1ae0784504df543af8969be3ea7082ff7fc9888c144da2af58429ec96031dbcad3dad9"
     "af0dcbaaaf268cb8fcffead94f3c7ca495e056a9b47acdb751fb73e666c6c655ade8297297d07ad1ba5e43f1bca3"
     "2301651339e22904cc8c42f58c30c04aafdb038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8ca61783a"
     "acec57fb3d1f92b0fe2fd1a85f6724517b65e614ad6808d6f6ee34dff7310fdc82aebfd904b01e1dc54b2927094b"
     "2db68d6f903b68401adebf5a7e08d78ff4ef5d63653a65040cf9bfd4aca7984a74d37145986780fc0b16ac451649"
     "de6188a7dbdf191f64b5fc5e2ab47b57f7f7276cd419c17a3ca8e1b939ae49e488acba6b965610b5480109c8b17b"
     "80e1b7b750dfc7598d5d5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504cc"
     "c493d97e6aed3fb0f9cd71a43dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5fb93246f6b1116398a346"
     "f1a641f3b041e989f7914f90cc2c7fff357876e506b50d334ba77c225bc307ba537152f3f1610e4eafe595f6d9d9"
     "0d11faa933a15ef1369546868a7f3a45a96768d40fd9d03412c091c6315cf4fde7cb68606937380db2eaaa707b4c"
     "4185c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8cac60c905c"
     "15fc910840b94c00a0b9d0",
     "0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350aa5371b1508f9f4528ecea23c436"
     "d94b5e8fcd4f681e30a6ac00a9704a188a03"},
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

// 5.1.7: S must be below the group's order. The same signature with S + L is correct modulo L.
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

// With such keys, signatures of arbitrary messages can be forged.
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
        // not a point of the curve
        "0200000000000000000000000000000000000000000000000000000000000000",
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
