// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/isa.h"

#include <gtest/gtest.h>

namespace rivulet {
namespace {

TEST(Isa, NamesExtensionsByLetterAndName) {
    EXPECT_TRUE(has_extension("rv64imafdcv_zfh_zvfh", "D"));
    EXPECT_TRUE(has_extension("rv64imafdcv_zfh_zvfh", "ZVFH"));
    EXPECT_TRUE(has_extension("rv64imafdcv_zfh1p0", "zfh"));
    EXPECT_FALSE(has_extension("rv32imac_zve32f", "D"));
    EXPECT_FALSE(has_extension("rv64imafdcv", "zvfh"));
}

TEST(Isa, WhatAnExtensionImpliesIsThere) {
    EXPECT_TRUE(has_extension("rv64gcv", "D")) << "g is imafd";
    EXPECT_TRUE(has_extension("rv64imac_d", "F"));
    EXPECT_TRUE(has_extension("rv64imafdc_zvfh", "zvfhmin"));
}

TEST(Isa, TheHostsOwnHasNone) { EXPECT_FALSE(has_extension("host", "D")); }

} // namespace
} // namespace rivulet
