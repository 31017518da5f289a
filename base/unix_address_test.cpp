// SPDX-License-Identifier: Apache-2.0
#include "base/unix_address.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

namespace rivulet {
namespace {

TEST(UnixAddress, HoldsThePathAndItsEnd) {
    const std::string longest(sizeof(sockaddr_un::sun_path) - 1, 'x');
    for (const auto &path : {std::string("/run/card"), longest}) {
        const auto address = unix_address(path);
        ASSERT_TRUE(address) << address.error().message;
        EXPECT_EQ(address->sun_family, AF_UNIX);
        EXPECT_EQ(address->sun_path, path);
    }
}

TEST(UnixAddress, RefusesPathsThatWouldBeCutOff) {
    for (const auto &path :
         {std::string(), std::string(sizeof(sockaddr_un::sun_path), 'x'), std::string("a\0b", 3)}) {
        const auto address = unix_address(path);
        ASSERT_FALSE(address) << path;
        EXPECT_EQ(address.error().status, RVL_INVALID);
        EXPECT_NE(address.error().message.find("1 to 107 bytes"), std::string::npos)
            << address.error().message;
    }
}

} // namespace
} // namespace rivulet
