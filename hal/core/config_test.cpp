// SPDX-License-Identifier: Apache-2.0
#include "hal/core/config.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/data_directory.h"
#include "base/environment.h"
#include "base/parse.h"
#include "hal/core/driver_callbacks.h"
#include "hal/core/drivers.h"
#include "hal/tests/scratch.h"

namespace rivulet::hal {
namespace {

/// An environment variable for the duration of a test; nullptr: unset.
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

TEST(Config, MachineWithoutANameIsRefused) {
    for (const char *machines : {";;", " ", " ; ", ",harts=2", "loopback;,harts=2", ", ;"}) {
        const Variable variable("RIVULET_MACHINE", machines);
        const Variable driver("RIVULET_DRIVER", "loopback");
        const auto device = Device::open(Config::from_environment().back(), {});
        ASSERT_FALSE(device) << machines;
        EXPECT_NE(device.error().message.find("NAME[,KEY=VALUE]"), std::string::npos)
            << device.error().message;
    }
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
                                     {"harts", "1025"},
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

TEST(Config, UnknownSettingsNameTheNearestOne) {
    const std::pair<const char *, const char *> cases[] = {
        {"hart=1", "did you mean \"harts\"?"},
        {"memroy=64M", "did you mean \"memory\"?"},
        {"vlan=128", "did you mean \"vlen\"?"},
        {"telegraph=1", "has no setting \"telegraph\""},
        {"vlan=1,hart=2", "\"vlan\" (did you"},
        {"vlan=1,hart=2", "\"hart\" (did you"},
        {"hart", "\"hart\""},
        {"=1", "has no setting \"\""},
        {"telegraph=1", "harts, memory, unfenced, coherent, clear, core, preempt-us, vlen"},
    };
    for (const auto &[settings, what] : cases) {
        const Variable machines("RIVULET_MACHINE", (std::string("loopback,") + settings).c_str());
        const auto device = Device::open(Config::from_environment().front(), {});
        ASSERT_FALSE(device) << settings;
        EXPECT_EQ(device.error().status, RVL_INVALID);
        EXPECT_NE(device.error().message.find(what), std::string::npos) << device.error().message;
    }
    { // near ones for all: no list; and the error is returned, not logged as well
        const Variable machines("RIVULET_MACHINE", "loopback,vlan=1,hart=2");
        std::vector<std::string> logged;
        const auto device =
            Device::open(Config::from_environment().front(), [&](int level, std::string_view text) {
                if (level == 0)
                    logged.emplace_back(text);
            });
        ASSERT_FALSE(device);
        EXPECT_EQ(device.error().message.find("its settings are"), std::string::npos)
            << device.error().message;
        EXPECT_TRUE(logged.empty()) << logged.front();
    }
    for (const char *machine : {"null,hart=1", "rv64-v128,vlen=256"}) {
        const Variable machines("RIVULET_MACHINE", machine);
        const auto device = Device::open(Config::from_environment().front(), {});
        ASSERT_FALSE(device) << machine;
        EXPECT_EQ(device.error().status, RVL_INVALID) << device.error().message;
    }
}

TEST(Driver, LogsTheErrorsThatNoCallReturns) {
    std::vector<std::string> logged;
    DriverCallbacks callbacks([&](int level, std::string_view text) {
        if (level == 0)
            logged.emplace_back(text);
    });
    const rvl_host &host = *callbacks.c_interface();
    {
        DriverCall call(callbacks);
        host.log(host.user, 0, "the first");
        host.log(host.user, 0, "the last");
        EXPECT_TRUE(logged.empty());
        EXPECT_EQ(call.to_error(RVL_INVALID, "calling").message, "the last");
    }
    EXPECT_EQ(logged, std::vector<std::string>{"the first"});
    {
        DriverCall call(callbacks); // succeeds
        host.log(host.user, 0, "of a part that isn't needed");
    }
    host.log(host.user, 0, "between calls");
    EXPECT_EQ(logged, (std::vector<std::string>{"the first", "of a part that isn't needed",
                                                "between calls"}));
    DriverCall call(callbacks);
    EXPECT_EQ(call.to_error(RVL_INVALID, "calling").message.find("between"), std::string::npos);
}

TEST(Driver, OfAnotherMajorVersionIsRefused) {
    rvl_driver old = *rvl_driver_named("null");
    old.hal_version = RVL_VERSION(RVL_VERSION_MAJOR(RVL_HAL_VERSION) + 1, 0);
    const auto device = Device::open(old, Config{}, {});
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().status, RVL_BAD_VERSION);
}

TEST(Driver, WithoutTheLastFieldWorks) {
    rvl_driver older = *rvl_driver_named("null");
    older.size = offsetof(rvl_driver, describe);
    older.describe = reinterpret_cast<decltype(older.describe)>(uintptr_t{1}); // must not be called
    EXPECT_TRUE(Device::open(older, Config{}, {}));
}

/// The message of opening the driver in this file.
Error failure(const std::string &file) {
    Config config;
    config.set("driver", file);
    const auto device = Device::open(config, {});
    return device ? Error{RVL_OK, "it opened"} : device.error();
}

TEST(Config, DeadlineIsANumberOfSeconds) {
    const Variable variable("RIVULET_DEADLINE", "soon");
    Config config = Config::from_environment().front();
    config.set("machine", "null");
    const auto device = Device::open(config, {});
    ASSERT_FALSE(device);
    EXPECT_NE(device.error().message.find("RIVULET_DEADLINE=30"), std::string::npos);
}

TEST(Driver, FileIsNamedByItsPath) {
    const auto null = find_data_directory() + "/drivers/null.so";
    EXPECT_EQ(failure(null).status, RVL_OK) << failure(null).message;
}

TEST(Driver, FileThatIsNoneIsRefusedWithAMessage) {
    const auto text = test::scratch("rivulet-text.so");
    std::ofstream(text) << "not a shared object";
    const auto renamed = test::scratch("rivulet-renamed.so");
    std::filesystem::copy_file(find_data_directory() + "/drivers/null.so", renamed,
                               std::filesystem::copy_options::overwrite_existing);
    for (const auto &[file, what] : {std::pair<std::string, const char *>{text, "can't be loaded"},
                                     {test::scratch("absent.so"), "can't be loaded"},
#ifdef __x86_64__ // elsewhere the library's path is unknown
                                     {"/lib/x86_64-linux-gnu/libz.so.1", "rvl_driver_named"},
#endif
                                     {renamed, "no driver called rivulet-renamed"}}) {
        const auto error = failure(file);
        EXPECT_NE(error.status, RVL_OK) << file;
        EXPECT_NE(error.message.find(what), std::string::npos) << error.message;
        EXPECT_NE(error.message.find(file), std::string::npos) << error.message;
    }
}

TEST(Driver, WithoutANameIsTheOnlyOneThereIs) {
    const std::filesystem::path data = test::scratch("rivulet-data");
    std::filesystem::create_directories(data / "drivers");
    std::filesystem::copy_file(find_data_directory() + "/drivers/null.so", data / "drivers/null.so",
                               std::filesystem::copy_options::overwrite_existing);
    Config config;
    config.set("data", data.string());
    const auto only = find_driver(config);
    ASSERT_TRUE(only) << only.error().message;
    EXPECT_STREQ((*only)->name, "qemu"); // there are others next to this program
    config.set("driver", "null");
    EXPECT_STREQ((*find_driver(config))->name, "null");
}

TEST(Driver, NullSaysThatItIsASkeleton) {
    Config config;
    config.set("machine", "null");
    config.set("firmware", test::scratch("absent"));
    const auto device = Device::open(config, {});
    ASSERT_TRUE(device) << device.error().message;
    const auto started = (*device)->start();
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("RIVULET_FIRMWARE"), std::string::npos);
}

} // namespace
} // namespace rivulet::hal
