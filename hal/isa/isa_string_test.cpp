// SPDX-License-Identifier: Apache-2.0
#include "hal/isa/isa_string.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::isa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(IsaString, HasNamesInAnyCaseWithVersionsAndBars) {
    EXPECT_THAT(names("RV64IMAFDC_Zba_ZVFH"),
                ElementsAre("rv64", "i", "m", "a", "f", "d", "c", "zba", "zvfh"));
    EXPECT_THAT(names("rv32i2p1m2_a2p1_zve32f1p0_zicsr2p0_zba"),
                ElementsAre("rv32", "i", "m", "a", "zve32f", "zicsr", "zba"));
    EXPECT_THAT(names("rv64ima_fdc_zbb_zbb"),
                ElementsAre("rv64", "i", "m", "a", "f", "d", "c", "zbb"));
    EXPECT_THAT(names("rv64gczba__zbb_"), ElementsAre("rv64", "g", "c", "zba", "zbb"));
    EXPECT_THAT(names("rv64gc_xtheadba_sstc"), ElementsAre("rv64", "g", "c", "xtheadba", "sstc"));
}

TEST(IsaString, TypingErrorsNameTheNearestExtension) {
    const struct {
        const char *isa, *meant;
    } cases[] = {
        {"rv64gc_zve64dd", "zve64d"},     {"rv64gc_zve64", "zve64"},
        {"rv64gcv_zvfhh", "zvfh"},        {"rv64gcv_zfvh", "zfh"},
        {"rv64gcv_zvhf", "zvfh"},         {"rv64gcv_zvfhmn", "zvfhmin"},
        {"rv64gc_zbbb", "zbb"},           {"rv64gc_zicobm", "zicbom"},
        {"rv64gc_zve64dd1p0", "zve64d"},  {"rv64gc_zvl512", "zvl512b"},
        {"rv64gc_xtheadbaa", "xtheadba"}, {"rv64gc_sst", "sstc"},
        {"rv64gcv_zvl521b", "zvl512b"},   {"rv64gcv_zvfbfmni", "zvfbfmin"},
    };
    for (const auto &[isa, meant] : cases)
        EXPECT_THAT(check(isa).error, HasSubstr(std::string("did you mean '") + meant)) << isa;
}

TEST(IsaString, NewExtensionsAreNoErrors) {
    for (const char *name : {"zvfuture", "xacme", "xacmevector2", "svfuture", "zvquux", "ssquux"}) {
        const Verdict verdict = check(std::string("rv64gcv_") + name);
        EXPECT_THAT(verdict.error, IsEmpty()) << name;
        EXPECT_THAT(verdict.unknown, ElementsAre(name));
    }
    EXPECT_THAT(check("rv64gcv_zvfuture0p7").unknown, ElementsAre("zvfuture"));
}

// Nothing is lost then.
TEST(IsaString, NamesLikeOneThatIsThereAreNoErrors) {
    for (const char *isa : {"rv64gcv_zvfh_zvfhx", "rv64gcv_zve64dd", "rv64gcv_zvkg_zvkgx"}) {
        EXPECT_THAT(check(isa).error, IsEmpty()) << isa;
        EXPECT_EQ(check(isa).unknown.size(), 1) << isa;
    }
}

TEST(IsaString, DraftsAndExperimentsAreKnown) {
    for (const char *name : {"zicfilp", "zicfiss", "zvqdotq", "svukte", "zvkgs", "zvfbfa", "zibi",
                             "zvdot4a8i", "xtheadvector", "zvl65536b", "smclic", "zbp"}) {
        const Verdict verdict = check(std::string("rv64gc_") + name);
        EXPECT_TRUE(is_known(name)) << name;
        EXPECT_THAT(verdict.error, IsEmpty()) << name;
        EXPECT_THAT(verdict.unknown, IsEmpty()) << name;
    }
}

TEST(IsaString, WhatHasNotTheFormOfANameIsAnError) {
    for (const char *isa : {"rv64gc_foo", "rv64gc_z", "rv64gc_zb!", "rv64gcw", "rv64g c",
                            "rv64gc_zb\xc3\xa4", "rv64gc,zba"})
        EXPECT_THAT(check(isa).error, HasSubstr("is not an extension name")) << isa;
}

TEST(IsaString, OldSystemsNameTheirModes) { EXPECT_THAT(check("rv64imafdcsu").error, IsEmpty()); }

TEST(IsaString, ATreesListIsInTheManualsOrder) {
    EXPECT_EQ(join("rv64i", {"i", "m", "v", "a", "sstc", "zba", "c", "f", "d"}), "rv64imafdcv_zba");
    EXPECT_EQ(join("rv64", {"m", "i"}), "rv64im");
}

} // namespace
} // namespace rivulet::isa
