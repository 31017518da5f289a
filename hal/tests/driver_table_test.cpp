// SPDX-License-Identifier: Apache-2.0
//
// The library accepts tables and descriptions of older, newer and incomplete drivers.
#include "hal/core/driver_table.h"

#include <gmock/gmock.h>

#include <cstring>

#include "hal/core/drivers.h"

namespace rivulet::hal {
namespace {

using testing::HasSubstr;

rvl_driver null_table() { return *rvl_driver_named("null"); }

std::string refusal(const rvl_driver &driver) {
    const auto device = Device::open(driver, {}, [](int, std::string_view) {});
    return device ? "" : device.error().message;
}

TEST(DriverTable, OfAnotherMajorIsRefused) {
    auto table = null_table();
    table.hal_version = RVL_VERSION(2, 0);
    EXPECT_THAT(refusal(table), HasSubstr("built for HAL 2.0"));
    EXPECT_THAT(refusal(table), HasSubstr("rebuild the driver"));
}

TEST(DriverTable, OfANewerMinorIsTaken) {
    auto table = null_table();
    table.hal_version = RVL_VERSION(1, 10);
    table.size += 64;
    EXPECT_EQ(refusal(table), "");
}

TEST(DriverTable, WithoutASizeIsRefused) {
    auto table = null_table();
    table.size = 0;
    EXPECT_THAT(refusal(table), HasSubstr("sizeof(rvl_driver)"));
}

TEST(DriverTable, NamesEveryRequiredFunctionThatIsMissing) {
    auto table = null_table();
    table.ring = nullptr;
    EXPECT_THAT(refusal(table), HasSubstr("driver null has no ring in its table"));
    table.wait = nullptr;
    table.enumerate = nullptr;
    EXPECT_THAT(refusal(table), HasSubstr("enumerate, ring, wait"));
    table = null_table();
    table.map = nullptr;
    table.read = nullptr;
    EXPECT_THAT(refusal(table), HasSubstr("has no read"));
    table = null_table();
    table.copy_wait = nullptr;
    EXPECT_THAT(refusal(table), HasSubstr("has no copy_wait"));
    table = null_table();
    table.resume = nullptr;
    EXPECT_THAT(refusal(table), HasSubstr("has no resume"));
}

TEST(DriverTable, OfTheSkeletonTakesTheCommonCodesSettings) {
    Config config;
    for (const char *key : {"machine", "harts", "memory", "data", "firmware", "deadline"})
        config.set(key, "1");
    config.set("coherent", "no");
    config.set("unfenced", "yes");
    std::string log;
    EXPECT_TRUE(Device::open(null_table(), config, [&](int, std::string_view text) {
        log.append(text);
    })) << log;
}

TEST(DriverTable, NeedsNoneOfTheOptionalFunctions) {
    auto table = null_table();
    table.load = nullptr;
    table.start = nullptr;
    table.reset = nullptr;
    table.sync = nullptr; // the device is coherent
    table.describe = nullptr;
    table.copy_begin = nullptr;
    table.copy_wait = nullptr;
    table.suspend = nullptr;
    table.resume = nullptr;
    const auto device = Device::open(table, {}, [](int, std::string_view) {});
    ASSERT_TRUE(device) << device.error().message;
    const auto started = (*device)->start();
    ASSERT_FALSE(started);
    EXPECT_THAT(started.error().message, HasSubstr("mailbox"));
}

constexpr rvl_built_in_argument word{"word", "uint", RVL_BUILT_IN_VALUE, 4};
rvl_built_in_kernel built_in(const char *name) {
    return {sizeof(rvl_built_in_kernel), 0, name, 7, 0, 1, 0, &word, {1, 1, 1}};
}
const rvl_built_in_kernel *const *built_in_list; // what the next table names

std::vector<std::string> built_in_names(rvl_driver table, std::string &log) {
    const auto device =
        Device::open(table, {}, [&](int, std::string_view text) { log.append(text); });
    std::vector<std::string> names;
    if (device)
        for (const BuiltInKernel &kernel : (*device)->built_in_kernels())
            names.push_back(kernel.name);
    return names;
}

TEST(DriverTable, NamesBuiltInKernels) {
    std::string log;
    EXPECT_THAT(built_in_names(null_table(), log), testing::ElementsAre("null.resize"));
    EXPECT_EQ(log, "");
}

TEST(DriverTable, OfHal15HasNoBuiltInKernels) {
    auto table = null_table();
    table.hal_version = RVL_VERSION(1, 5);
    table.size = offsetof(rvl_driver, built_in_kernels);
    table.built_in_kernels = [](rvl_device *) -> const rvl_built_in_kernel *const * {
        ADD_FAILURE() << "called";
        return nullptr;
    };
    std::string log;
    EXPECT_THAT(built_in_names(table, log), testing::IsEmpty());
}

TEST(DriverTable, BuiltInKernelsThatCannotBeUsedAreLeftOut) {
    const rvl_built_in_kernel good = built_in("good"), twin = built_in("good"),
                              empty = built_in(""), two = built_in("a;b"), none = built_in(nullptr);
    const std::string letters(64, 'a');
    const rvl_built_in_kernel lengthy = built_in(letters.c_str());
    rvl_built_in_kernel small = built_in("small"), endless = built_in("endless"),
                        idle = built_in("idle"), stray = built_in("stray"), wide = built_in("wide"),
                        strange = built_in("strange");
    small.size = 8;
    endless.argument_count = 17;
    idle.max_global_size[1] = 0;
    stray.unit = 0;
    constexpr rvl_built_in_argument wide_value{"value", "ulong2", RVL_BUILT_IN_VALUE, 16};
    wide.arguments = &wide_value;
    constexpr rvl_built_in_argument image{"image", "image2d_t", 4, 0};
    strange.arguments = &image;
    const rvl_built_in_kernel *const list[] = {&twin,    &good,    &empty,   &two,  &none,
                                               &lengthy, &small,   &endless, &idle, &stray,
                                               &wide,    &strange, nullptr};
    built_in_list = list;
    auto table = null_table();
    table.built_in_kernels = [](rvl_device *) { return built_in_list; };
    std::string log;
    EXPECT_THAT(built_in_names(table, log), testing::ElementsAre("good"));
    for (const char *reason :
         {"another kernel of the device has this name", "no semicolon", "less than 64 letters",
          "its size is 8 bytes", "has 17 arguments", "largest global size of 0",
          "the unit has no id", "argument 0 is neither a value of 1 to 8 bytes nor a buffer"})
        EXPECT_THAT(log, HasSubstr(reason));
}

TEST(DriverTable, TellsConditions) {
    const auto device = Device::open(null_table(), {}, {});
    ASSERT_TRUE(device) << device.error().message;
    const auto now = (*device)->conditions();
    ASSERT_TRUE(now) << now.error().message;
    EXPECT_EQ(now->clock_mhz, 1u);
    EXPECT_EQ(now->millidegrees, 21500);
    EXPECT_EQ(now->millidegrees_limit, RVL_NO_TEMPERATURE); // null.c knows none
    EXPECT_EQ(now->flags, 0u);
}

TEST(DriverTable, OfHal16TellsNoConditions) {
    auto table = null_table();
    table.hal_version = RVL_VERSION(1, 6);
    table.size = offsetof(rvl_driver, conditions);
    table.conditions = [](rvl_device *, rvl_conditions *) {
        ADD_FAILURE() << "called";
        return RVL_OK;
    };
    const auto device = Device::open(table, {}, {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->conditions().error().status, RVL_UNSUPPORTED);
}

TEST(DriverTable, SetsTheClock) {
    auto table = null_table();
    table.describe = [](rvl_device *, rvl_device_desc *description) {
        description->clock_mhz = 0; // unknown
        return RVL_OK;
    };
    const auto device = Device::open(table, {}, {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_TRUE((*device)->set_clock(1));
    const auto set = (*device)->set_clock(2); // null.c has one clock
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().status, RVL_INVALID);
    EXPECT_THAT(set.error().message, HasSubstr("setting the harts' clock"));
}

TEST(DriverTable, AsksForNoClockThatTheDeviceCannotHave) {
    auto table = null_table();
    static std::vector<uint32_t> asked;
    table.set_clock = [](rvl_device *, uint32_t mhz) {
        asked.push_back(mhz);
        return RVL_OK;
    };
    static uint32_t most;
    most = 0; // unknown
    table.describe = [](rvl_device *, rvl_device_desc *description) {
        description->clock_mhz = most;
        return RVL_OK;
    };
    const auto set = [&](uint32_t mhz) {
        const auto device = Device::open(table, {}, {});
        const auto done = device ? (*device)->set_clock(mhz) : std::unexpected(device.error());
        return done ? RVL_OK : done.error().status;
    };
    EXPECT_EQ(set(0), RVL_INVALID);
    EXPECT_EQ(set(5000), RVL_OK);
    most = 1600;
    EXPECT_EQ(set(1601), RVL_INVALID);
    EXPECT_EQ(set(1600), RVL_OK);
    EXPECT_THAT(asked, testing::ElementsAre(5000u, 1600u));
}

TEST(DriverTable, OfHal18SetsNoClock) {
    auto table = null_table();
    table.hal_version = RVL_VERSION(1, 8);
    table.size = offsetof(rvl_driver, set_clock);
    table.set_clock = [](rvl_device *, uint32_t) {
        ADD_FAILURE() << "called";
        return RVL_OK;
    };
    const auto device = Device::open(table, {}, {});
    ASSERT_TRUE(device) << device.error().message;
    const auto set = (*device)->set_clock(1);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().status, RVL_UNSUPPORTED);
}

TEST(DriverTable, MapsIncoherentlyOnlyWithSync) {
    auto table = null_table();
    static const rvl_driver original = null_table();
    table.enumerate = [](const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                         size_t capacity, size_t *count) {
        const auto status = original.enumerate(config, host, devices, capacity, count);
        if (capacity != 0)
            devices[0].flags &= ~uint32_t{RVL_DEVICE_COHERENT};
        return status;
    };
    EXPECT_EQ(refusal(table), "");
    table.sync = nullptr;
    EXPECT_THAT(refusal(table), HasSubstr("has no sync"));
}

TEST(DriverTable, GoesWithoutReadAndWriteOnlyWhereItMaps) {
    auto table = null_table();
    static const rvl_driver original = null_table();
    table.read = nullptr;
    table.write = nullptr;
    EXPECT_EQ(refusal(table), "");
    static uint32_t flags;
    static uint32_t block;
    table.enumerate = [](const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                         size_t capacity, size_t *count) {
        const auto status = original.enumerate(config, host, devices, capacity, count);
        if (capacity != 0) {
            devices[0].flags = flags;
            devices[0].cache_block = block;
        }
        return status;
    };
    flags = RVL_DEVICE_COHERENT;
    EXPECT_THAT(refusal(table), HasSubstr("needs read and write"));
    flags = RVL_DEVICE_MAPS;
    EXPECT_EQ(refusal(table), "");
    block = 128;
    EXPECT_THAT(refusal(table), HasSubstr("needs read and write"));
    // A failing map is an error, too.
    flags |= RVL_DEVICE_COHERENT;
    table.map = [](rvl_device *, uint64_t, size_t, void **) { return RVL_NO_MEMORY; };
    const auto device = Device::open(table, {}, [](int, std::string_view) {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_FALSE((*device)->start());
    uint32_t word = 0;
    EXPECT_FALSE((*device)->read(0x80000000, std::as_writable_bytes(std::span(&word, 1))));
}

TEST(DriverTable, RingThatRingsNothingIsFoundAtStart) {
    Config config = Config::from_environment().front();
    config.set("driver", "loopback");
    const auto loopback = find_driver(config);
    ASSERT_TRUE(loopback) << loopback.error().message;
    auto table = **loopback;
    table.ring = [](rvl_device *, uint64_t) { return RVL_OK; };
    const auto device = Device::open(table, config, [](int, std::string_view) {});
    ASSERT_TRUE(device) << device.error().message;
    // On a busy machine a hart may see the ping before it sleeps, without a bell.
    auto started = (*device)->start();
    for (int tries = 0; started && tries < 20; ++tries) {
        (*device)->stop();
        started = (*device)->start();
    }
    ASSERT_FALSE(started);
    EXPECT_THAT(started.error().message, HasSubstr("doorbells do not arrive"));
}

/// Describes three devices in elements of HAL 1.0's size.
rvl_status enumerate_as_1_0(const rvl_config *, const rvl_host *, rvl_device_desc *devices,
                            size_t capacity, size_t *count) {
    *count = 3;
    for (uint32_t i = 0; i < capacity && i < 3; ++i) {
        auto *const at = reinterpret_cast<char *>(devices) + i * RVL_DEVICE_DESC_BYTES_1_0;
        std::memset(at, 0, RVL_DEVICE_DESC_BYTES_1_0);
        const uint32_t harts = i + 1;
        std::memcpy(at + offsetof(rvl_device_desc, harts), &harts, sizeof harts);
    }
    return RVL_OK;
}

TEST(Descriptions, AreReadByTheDriversOwnLength) {
    auto table = null_table();
    table.hal_version = RVL_VERSION(1, 0);
    table.enumerate = enumerate_as_1_0;
    DriverCallbacks host([](int, std::string_view) {});
    const auto found = find_devices(table, {.size = sizeof(rvl_config), .entries = nullptr}, host);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 3u);
    for (uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ((*found)[i].harts, i + 1);
        EXPECT_EQ((*found)[i].vendor[0], 0);
        EXPECT_EQ((*found)[i].size, sizeof(rvl_device_desc));
    }
}

TEST(Descriptions, HoldNothingThatATerminalObeys) {
    auto table = null_table();
    static const rvl_driver original = null_table();
    table.enumerate = [](const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                         size_t capacity, size_t *count) {
        const auto status = original.enumerate(config, host, devices, capacity, count);
        if (capacity != 0)
            std::memset(devices[0].name, 0x1b, sizeof devices[0].name);
        return status;
    };
    table.describe = [](rvl_device *, rvl_device_desc *device) {
        std::strcpy(device->board, "vi\x1b[31mrt\r\x7f\x9b");
        std::strcpy(device->isa, "rv64\n");
        return RVL_OK;
    };
    const auto device = Device::open(table, {}, [](int, std::string_view) {});
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->description().name, std::string(63, '?'));
    EXPECT_STREQ((*device)->description().board, "vi?[31mrt???");
    EXPECT_STREQ((*device)->description().isa, "rv64?");
}

TEST(Descriptions, OfFirmwareHoldNothingThatATerminalObeys) {
    Config config = Config::from_environment().front();
    config.set("driver", "loopback");
    const auto loopback = find_driver(config);
    ASSERT_TRUE(loopback) << loopback.error().message;
    static const rvl_driver original = **loopback;
    auto table = original;
    table.start = [](rvl_device *device) {
        const auto status = original.start(device);
        rvl_device_desc description{};
        description.size = sizeof description;
        original.describe(device, &description);
        void *host = nullptr;
        original.map(device, description.mailbox, sizeof(rvl_hello), &host);
        auto &hello = *static_cast<rvl_hello *>(host);
        while (__atomic_load_n(&hello.state, __ATOMIC_ACQUIRE) < RVL_STATE_RUNNING)
            original.wait(device, 1'000'000);
        std::memcpy(hello.isa, "\x1b[31m", sizeof "\x1b[31m");
        return status;
    };
    const auto device = Device::open(table, config, [](int, std::string_view) {});
    ASSERT_TRUE(device) << device.error().message;
    const auto started = (*device)->start();
    ASSERT_TRUE(started) << started.error().message;
    EXPECT_STREQ((*device)->hello().isa, "?[31m");
}

TEST(Descriptions, AreWrittenNoLongerThanTheLibraryKnowsThem) {
    for (const size_t length : {RVL_DEVICE_DESC_BYTES_1_0, sizeof(rvl_device_desc) + 64}) {
        std::vector<uint64_t> memory((length + 64) / 8, 0x5555555555555555);
        auto *const device = reinterpret_cast<rvl_device_desc *>(memory.data());
        device->size = static_cast<uint32_t>(length);
        size_t count = 0;
        ASSERT_EQ(null_table().enumerate(nullptr, nullptr, device, 1, &count), RVL_OK);
        EXPECT_EQ(device->size, length);
        EXPECT_EQ(memory[(length + 7) / 8], 0x5555555555555555);
        EXPECT_STREQ(device->name, "null");
    }
}

TEST(Descriptions, OfSeveralDevicesAreAllShown) {
    Config config = Config::from_environment().front();
    config.set("driver", RIVULET_ENGINE_DRIVER);
    const auto quiet = [](int, std::string_view) {};
    const auto found = Device::list(config, quiet);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 3u);
    EXPECT_STREQ((*found)[2].name, "engine-2");
    EXPECT_STREQ((*found)[2].vendor, "Acme");
    for (const char *number : {"0", "1", "2"}) {
        config.set("device", number);
        const auto device = Device::open(config, quiet);
        ASSERT_TRUE(device) << device.error().message;
        EXPECT_EQ((*device)->description().name, std::string("engine-") + number);
        EXPECT_TRUE((*device)->start());
    }
    config.set("device", "3");
    const auto none = Device::open(config, quiet);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("device=3"));
}

/// The driver of hal/tests/engine.cpp, which reports a second heap and a scratchpad.
class Regions : public testing::Test {
protected:
    Config config_ = Config::from_environment().front();
    rvl_driver table_{};
    std::string log_;

    void SetUp() override {
        config_.set("driver", RIVULET_ENGINE_DRIVER);
        config_.set("memory", "128M");
        const auto engine = find_driver(config_);
        ASSERT_TRUE(engine) << engine.error().message;
        table_ = original() = **engine;
    }
    static rvl_driver &original() {
        static rvl_driver table;
        return table;
    }
    /// Starts the device; its hello shows what the firmware uses of them.
    rvl_hello started() {
        const auto device = Device::open(table_, config_, [this](int level, std::string_view text) {
            if (level <= 1)
                log_.append(text).append("\n");
        });
        if (!device || !(*device)->start()) {
            ADD_FAILURE() << "the device does not start: " << log_;
            return {};
        }
        return (*device)->hello();
    }
};

TEST_F(Regions, AreUsed) {
    const rvl_hello hello = started();
    EXPECT_EQ(hello.second_heap_bytes, 32u << 20);
    EXPECT_TRUE(hello.flags & RVL_HELLO_SCRATCHPAD);
    EXPECT_EQ(log_, "");
}

// To a 1.1 library they were only information: such a driver may use the memory itself.
TEST_F(Regions, OfHal1_1AreNotUsed) {
    table_.hal_version = RVL_VERSION(1, 1);
    const rvl_hello hello = started();
    EXPECT_EQ(hello.second_heap_bytes, 0u);
    EXPECT_FALSE(hello.flags & RVL_HELLO_SCRATCHPAD);
    EXPECT_THAT(log_, HasSubstr("HAL 1.1"));
}

TEST_F(Regions, OfANewerMinorAreUsed) {
    table_.hal_version = RVL_VERSION(1, 10);
    EXPECT_EQ(started().second_heap_bytes, 32u << 20);
}

TEST_F(Regions, OutsideOfTheMemoryAreReportedAndTheOthersUsed) {
    table_.describe = [](rvl_device *device, rvl_device_desc *description) {
        const auto status = original().describe(device, description);
        description->regions[1].base = description->memory_base + description->memory_bytes - 4096;
        return status;
    };
    const rvl_hello hello = started();
    EXPECT_EQ(hello.second_heap_bytes, 0u);
    EXPECT_TRUE(hello.flags & RVL_HELLO_SCRATCHPAD);
    EXPECT_THAT(log_, HasSubstr("is not used: a second heap"));
}

TEST(DriverTable, DescribesNoDeviceWithoutHartsNorWithTooMany) {
    auto table = null_table();
    table.describe = [](rvl_device *, rvl_device_desc *description) {
        description->harts = 0;
        return RVL_OK;
    };
    EXPECT_THAT(refusal(table), HasSubstr("a device with no harts or more than 1024"));
    table.describe = [](rvl_device *, rvl_device_desc *description) {
        description->harts = 1025;
        return RVL_OK;
    };
    EXPECT_THAT(refusal(table), HasSubstr("more than 1024"));
}

} // namespace
} // namespace rivulet::hal
