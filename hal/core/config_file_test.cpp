// SPDX-License-Identifier: Apache-2.0
#include "hal/core/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hal/tests/scratch.h"

namespace rivulet::hal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string write(const std::string &name, const std::string &content) {
    auto path = test::scratch(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << content;
    return path;
}

class ConfigFile : public testing::Test {
protected:
    void SetUp() override {
        for (const char *name : {"RIVULET_MACHINE", "RIVULET_DRIVER", "RIVULET_CONFIG"})
            unsetenv(name);
    }
    void TearDown() override { SetUp(); }

    std::vector<Config> of_host(const std::string &path) {
        setenv("RIVULET_CONFIG", path.c_str(), 1);
        errors.clear();
        return Config::of_host(errors);
    }
    std::vector<Error> errors;
};

TEST_F(ConfigFile, NamesDevicesWithTheirSettings) {
    const auto path = write("two.toml", "# a product's\n"
                                        "[[device]]\n"
                                        "name = \"one\"\n"
                                        "driver = \"null\"\n"
                                        "harts = 0x2\n"
                                        "window = { vfio = \"0000:01:00.0\", bar = 2 }\n"
                                        "coherent = false\n"
                                        "firmware = { copy = \"a.elf\" }\n"
                                        "[[device]]\n"
                                        "name = \"two\"\n"
                                        "[device.doorbell]\n"
                                        "poll = \"50us\"\n");
    const auto devices = of_host(path);
    ASSERT_TRUE(errors.empty()) << errors.front().message;
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(
        devices[0].entries(),
        (std::vector<std::string>{"driver=null", "harts=2", "window.bar=2",
                                  "window.vfio=0000:01:00.0", "coherent=false", "firmware=a.elf"}));
    EXPECT_EQ(devices[0].location(), path + ":2");
    EXPECT_EQ(devices[1].get("doorbell.poll"), "50us");
    EXPECT_EQ(devices[1].location(), path + ":9");
}

TEST_F(ConfigFile, EnvironmentPicksADeviceAndWins) {
    const auto path = write("pick.toml", "[[device]]\nname = \"one\"\ndriver = \"null\"\n"
                                         "[[device]]\nname = \"two\"\ndriver = \"null\"\n"
                                         "harts = 1\n");
    setenv("RIVULET_MACHINE", "two,harts=4; rv64-v128", 1);
    const auto devices = of_host(path);
    ASSERT_EQ(devices.size(), 2u);
    EXPECT_EQ(devices[0].entries(), (std::vector<std::string>{"driver=null", "harts=4"}));
    EXPECT_EQ(devices[1].entries(), (std::vector<std::string>{"machine=rv64-v128"}));
}

TEST_F(ConfigFile, DeviceWithoutANameIsNotThatOfSettingsAlone) {
    const auto path = write("nameless.toml", "[[device]]\ndriver = \"null\"\n");
    setenv("RIVULET_MACHINE", ",harts=2", 1);
    const auto devices = of_host(path);
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_FALSE(Device::open(devices[0], {}));
}

TEST_F(ConfigFile, OffMeansNone) {
    const auto devices = of_host("off");
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_TRUE(devices[0].entries().empty());
}

TEST_F(ConfigFile, FoldersAreReadInOrderAndLaterNamesReplace) {
    const auto home = std::filesystem::path(test::scratch("xdg"));
    write("xdg/rivulet/20-b.toml", "[[device]]\nname = \"x\"\ndriver = \"null\"\nharts = 8\n");
    write("xdg/rivulet/10-a.toml", "[[device]]\nname = \"x\"\nharts = 1\n"
                                   "[[device]]\nname = \"y\"\nharts = 1\n");
    write("xdg/rivulet/notes.txt", "not read");
    setenv("XDG_CONFIG_HOME", home.c_str(), 1);
    const auto found = read_config_files();
    unsetenv("XDG_CONFIG_HOME");
    std::vector<std::string> harts;
    for (const Config &device : found.devices)
        if (device.get("name") == "x" || device.get("name") == "y")
            harts.push_back(device.get("name") + device.get("harts"));
    EXPECT_EQ(harts, (std::vector<std::string>{"x8", "y1"}));
}

TEST_F(ConfigFile, MistakesAreNamedByFileAndLine) {
    const std::pair<const char *, const char *> cases[] = {
        {"[[device]\n", ":1: "},
        {"[[device]]\nname = \n", ":2: "},
        {"\n[device]\nname = \"x\"\n", ":2: expected [[device]] and found device"},
        {"[[devices]]\n", "expected [[device]] and found devices"},
        {"[[device]]\nharts = 1.5\n", ":2: the setting harts is neither"},
        {"[[device]]\nname = \"x\"\nharts = [1]\n", ":3: the setting harts is neither"},
        {"[[device]]\nname = \"a\\u0000b\"\n", ":2: a setting contains"},
        {"[[device]]\n\"a=b\" = 1\n", ":2: a setting contains"},
        {"[[device]]\nname = \"x\\u001b[31m\"\n", ":2: a setting contains"},
        {"[[device]]\nname = \"x\\u009b31m\"\n", ":2: a setting contains"},
        {"[[device]]\nname = \"x\\n\"\n", ":2: a setting contains"},
        {"[[device]]\n\"a\\u007f\" = 1\n", ":2: a setting contains"},
        {"\xff\xfe", ":1: it holds a character"},
        {"[[device]]\nname = \"x\"\n# \xc4\x89", ":3: it holds a character"},
        {"[`S [dabtr\n", ":1: Error while parsing key"},
        {"\n[[\1\1device]]", ":2: it holds a character that is not ASCII"},
    };
    for (const auto &[content, what] : cases) {
        const auto path = write("mistake.toml", content);
        EXPECT_TRUE(of_host(path).empty()) << content;
        ASSERT_EQ(errors.size(), 1u) << content;
        EXPECT_THAT(errors.front().message, AllOf(StartsWith(path), HasSubstr(what)));
    }
}

TEST_F(ConfigFile, TablesInEachOtherEndBeforeTheStackDoes) {
    std::string deep = "a";
    for (int i = 0; i < 200'000; ++i)
        deep += ".a";
    for (const auto &content :
         {"\n[[device]]\n" + deep + " = 1\n", "\n\n[[device." + deep + "]]\n"}) {
        EXPECT_TRUE(of_host(write("deep.toml", content)).empty());
        ASSERT_EQ(errors.size(), 1u);
        EXPECT_THAT(errors.front().message, HasSubstr(":3: its tables are nested too deeply"));
    }
    const std::string ruler = "# " + std::string(200, '.') + " . . " + deep + "\n";
    const auto devices = of_host(write("ruler.toml", ruler + "[[device]]\nname = \"../..\"\n"));
    EXPECT_TRUE(errors.empty()) << errors.front().message;
    EXPECT_EQ(devices.size(), 1u);
}

TEST_F(ConfigFile, MistakesAreToldWhateverTheEnvironmentNames) {
    const auto path = write("broken.toml", "[[device]]\nname = \"acme\"\nharts = []\n");
    for (const auto &[variable, value] : {std::pair{"RIVULET_MACHINE", "null"},
                                          {"RIVULET_MACHINE", "acme"},
                                          {"RIVULET_DRIVER", "null"}}) {
        SetUp();
        setenv(variable, value, 1);
        EXPECT_EQ(of_host(path).size(), 1u);
        ASSERT_EQ(errors.size(), 1u) << variable << "=" << value;
        EXPECT_THAT(errors.front().message, StartsWith(path + ":3: "));
    }
}

TEST_F(ConfigFile, OtherDevicesWorkBesideABadOne) {
    const auto devices = of_host(write("bad.toml", "[[device]]\nharts = []\n"
                                                   "[[device]]\nname = \"good\"\n"));
    EXPECT_EQ(errors.size(), 1u);
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].get("name"), "good");
}

TEST_F(ConfigFile, ThatIsNotThereIsAnError) {
    const auto absent = test::scratch("absent.toml");
    EXPECT_TRUE(of_host(absent.c_str()).empty());
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_THAT(errors.front().message, HasSubstr(absent));
}

TEST_F(ConfigFile, UnknownSettingHasItsLineAndTheNearestOne) {
    const auto path = write("unknown.toml", "[[device]]\nname = \"x\"\ndriver = \"loopback\"\n"
                                            "harts = 1\nvlan = 128\n");
    const auto devices = of_host(path);
    ASSERT_EQ(devices.size(), 1u);
    const auto device = Device::open(devices[0], {});
    ASSERT_FALSE(device);
    EXPECT_THAT(device.error().message,
                AllOf(StartsWith(path + ":5: "), HasSubstr("did you mean \"vlen\"?")));
}

TEST_F(ConfigFile, LettersBeyondAsciiArePermitted) {
    const auto devices =
        of_host(write("letters.toml", "[[device]]\nname = \"\\u00e9\\u00c9\\u20ac\"\n"));
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].get("name"), "\xc3\xa9\xc3\x89\xe2\x82\xac");
}

TEST_F(ConfigFile, NameIsTheDevices) {
    const auto devices =
        of_host(write("name.toml", "[[device]]\nname = \"acme-x1\"\ndriver = \"null\"\n"));
    ASSERT_EQ(devices.size(), 1u);
    const auto device = Device::open(devices[0], {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_STREQ((*device)->description().name, "acme-x1");
}

} // namespace
} // namespace rivulet::hal
