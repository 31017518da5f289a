// SPDX-License-Identifier: Apache-2.0
//
// Fixed-function units: what the driver's table says of them, and launches of RVL_LAUNCH_UNIT.
#include <algorithm>
#include <cstring>

#include "hal/conformance/session.h"

namespace rivulet::hal::conformance {
namespace {

constexpr uint32_t unknown_unit = 0xfffffffe;
enum { copy2d, crc32, failing }; // of RVL_MODEL_UNIT

bool has_unit(const Session &session, uint32_t id) {
    return std::ranges::find(session->hello().units, id) != std::end(session->hello().units);
}

/// A launch of a unit's function, made of a launch of harts.
rvl_slot unit_command(Session &session, uint32_t unit, uint64_t function,
                      std::vector<uint64_t> arguments, uint32_t width = 1, uint8_t flags = 0) {
    rvl_slot slot = session.command({.kernel = Kernel::iota, .flags = flags});
    slot.header.service = RVL_LAUNCH_UNIT;
    slot.launch.hart_mask = unit;
    rvl_launch_record record{};
    const auto bytes = std::as_writable_bytes(std::span(&record, 1));
    EXPECT_TRUE(session->read(slot.launch.record, bytes));
    record.kernel = function;
    record.global_size[0] = width;
    std::memcpy(record.arguments, arguments.data(), arguments.size() * sizeof arguments[0]);
    EXPECT_TRUE(session->write(slot.launch.record, bytes));
    return slot;
}

uint32_t result_of(Session &session, const rvl_slot &command) {
    session.submit({&command, 1});
    const auto done = session.await(command.header.token);
    return done ? done->result : ~0u;
}

#define SKIP_WITHOUT_MODEL(session)                                                                \
    SKIP_UNLESS(has_unit(session, RVL_MODEL_UNIT), "the firmware has no model of a unit")

TEST(BuiltIn, KernelsHaveUnitsInTheFirmware) {
    Session session;
    SKIP_UNLESS(!session->built_in_kernels().empty(), "the driver names no built-in kernels");
    for (const BuiltInKernel &kernel : session->built_in_kernels())
        EXPECT_TRUE(has_unit(session, kernel.unit))
            << kernel.name << " is of unit " << std::hex << kernel.unit
            << ", for which the firmware has no driver";
}

TEST(BuiltIn, NoKernelOfTheTableIsRefused) {
    clear_log();
    const auto device = open_device();
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ(log_text().find("names a built-in kernel"), std::string::npos) << log_text();
}

TEST(BuiltIn, LaunchOfAnUnknownUnitIsRefused) {
    Session session;
    EXPECT_EQ(result_of(session, unit_command(session, unknown_unit, 0, {0})),
              uint32_t{RVL_RESULT_INVALID});
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

TEST(BuiltIn, UnitKeepsItsPlaceInTheStream) {
    Session session;
    SKIP_WITHOUT_MODEL(session);
    constexpr uint32_t groups = 64;
    const uint64_t from = session.allocate(4096), to = session.allocate(4096);
    constexpr uint8_t ordered = RVL_FLAG_BARRIER | RVL_FLAG_ON_SUCCESS;
    const rvl_slot commands[] = {
        session.command({.kernel = Kernel::iota, .groups = groups, .buffer = from}),
        unit_command(session, RVL_MODEL_UNIT, copy2d, {from, 0, to, 0}, groups * 4, ordered),
        unit_command(session, RVL_MODEL_UNIT, crc32, {to, groups * 4, to + 1024}, 1, ordered),
    };
    session.submit(commands);
    const auto done = session.await(commands[2].header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, uint32_t{RVL_RESULT_OK});
    EXPECT_LE(done->start, done->end);
    EXPECT_EQ(session.words(to, groups), session.words(from, groups));
    EXPECT_NE(session.words(to + 1024, 1)[0], 0u);
}

TEST(BuiltIn, UnitIsKeptOutOfOtherMemory) {
    Session session;
    SKIP_WITHOUT_MODEL(session);
    const uint64_t inside = session.allocate(4096);
    const uint64_t outside[] = {session->hello().command_ring, session.arena_end() - 4,
                                ~uint64_t{0} - 4, 0};
    for (const uint64_t address : outside) {
        const auto copy = [&](uint64_t from, uint64_t to) {
            return result_of(session,
                             unit_command(session, RVL_MODEL_UNIT, copy2d, {from, 0, to, 0}, 64));
        };
        EXPECT_EQ(copy(address, inside), uint32_t{RVL_RESULT_FAULT}) << std::hex << address;
        EXPECT_EQ(copy(inside, address), uint32_t{RVL_RESULT_FAULT}) << std::hex << address;
    }
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

TEST(BuiltIn, DeadUnitIsKilledAndTheDeviceGoesOn) {
    Session session;
    SKIP_WITHOUT_MODEL(session);
    const rvl_slot dead = unit_command(session, RVL_MODEL_UNIT, failing, {0});
    session.submit({&dead, 1});
    rvl_slot kill{};
    kill.header = {.group = RVL_GROUP_LAUNCH,
                   .service = RVL_LAUNCH_KILL,
                   .flags = RVL_FLAG_SILENT,
                   .length = sizeof kill.kill,
                   .token = 0};
    kill.kill.launch = dead.launch.launch;
    session.submit({&kill, 1});
    const auto done = session.await(dead.header.token);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->result, uint32_t{RVL_RESULT_KILLED});
    EXPECT_TRUE(session.run({.kernel = Kernel::iota, .buffer = session.allocate(4)}));
}

} // namespace
} // namespace rivulet::hal::conformance
