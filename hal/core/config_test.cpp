// SPDX-License-Identifier: Apache-2.0
#include "hal/core/config.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace rivulet::hal {
namespace {

/// An environment variable for the time of a test; nullptr: not there.
class Variable {
public:
    Variable(const char *name, const char *value) : name_(name) {
        if (const char *before = std::getenv(name))
            before_ = before;
        set(value);
    }
    ~Variable() { set(before_ ? before_->c_str() : nullptr); }

private:
    void set(const char *value) const {
        if (value != nullptr)
            setenv(name_, value, 1);
        else
            unsetenv(name_);
    }

    const char *name_;
    std::optional<std::string> before_;
};

TEST(Config, EachMachineOfTheEnvironmentIsOne) {
    const Variable machines("RIVULET_MACHINE", " rv64-v128 , harts=4,memory = 1G; loopback ;");
    const Variable data("RIVULET_DATA", "/somewhere");
    const auto configs = Config::from_environment();
    ASSERT_EQ(configs.size(), 2u);
    EXPECT_EQ(configs[0].get("machine"), "rv64-v128");
    EXPECT_EQ(configs[0].get("harts"), "4");
    EXPECT_EQ(configs[0].get("memory"), "1G");
    EXPECT_EQ(configs[1].get("machine"), "loopback");
    EXPECT_EQ(configs[1].get("harts", "none"), "none");
    EXPECT_EQ(configs[1].get("data"), "/somewhere");
}

TEST(Config, WithoutMachineThereIsOneOfDefaults) {
    const Variable machines("RIVULET_MACHINE", nullptr);
    const auto configs = Config::from_environment();
    ASSERT_EQ(configs.size(), 1u);
    EXPECT_EQ(configs[0].get("machine"), "");
}

TEST(Config, LaterSettingReplacesEarlier) {
    Config config;
    config.set("harts", "1");
    config.set("harts", "2");
    EXPECT_EQ(config.entries(), std::vector<std::string>{"harts=2"});
}

TEST(Config, SizesHaveSuffixes) {
    EXPECT_EQ(parse_bytes("4096"), 4096u);
    EXPECT_EQ(parse_bytes("0x1000"), 4096u);
    EXPECT_EQ(parse_bytes("64K"), 64u << 10);
    EXPECT_EQ(parse_bytes("512MiB"), 512u << 20);
    EXPECT_EQ(parse_bytes("2GB"), 2ull << 30);
    for (const char *nonsense : {"", "G", "2X", "-1", "1.5G", "99999999999T", "2 G"})
        EXPECT_FALSE(parse_bytes(nonsense)) << nonsense;
}

TEST(Config, NonsenseIsRefusedWithAMessage) {
    for (const auto &[key, value] : {std::pair{"harts", "0"},
                                     {"harts", "many"},
                                     {"harts", "65"},
                                     {"harts", ""},
                                     {"memory", "lots"},
                                     {"driver", "nobody"}}) {
        Config config;
        config.set("machine", "null");
        config.set(key, value);
        const auto device = Device::open(config, {});
        ASSERT_FALSE(device) << key << "=" << value;
        EXPECT_NE(device.error().message.find(value), std::string::npos) << device.error().message;
    }
}

TEST(Driver, OfAnotherMajorVersionIsRefused) {
    rvl_driver old = *drivers().back();
    old.hal_version = RVL_VERSION(RVL_VERSION_MAJOR(RVL_HAL_VERSION) + 1, 0);
    const auto device = Device::open(old, Config{}, {});
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().status, RVL_BAD_VERSION);
}

TEST(Driver, WithoutTheLastFieldWorks) {
    rvl_driver older = *drivers().back();
    older.size = offsetof(rvl_driver, describe);
    older.describe = reinterpret_cast<decltype(older.describe)>(uintptr_t{1}); // not to be called
    EXPECT_TRUE(Device::open(older, Config{}, {}));
}

TEST(Driver, NullSaysThatItIsASkeleton) {
    Config config;
    config.set("machine", "null");
    config.set("firmware", "/nonexistent");
    const auto device = Device::open(config, {});
    ASSERT_TRUE(device) << device.error().message;
    const auto started = (*device)->start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("RIVULET_FIRMWARE"), std::string::npos);
}

} // namespace
} // namespace rivulet::hal
