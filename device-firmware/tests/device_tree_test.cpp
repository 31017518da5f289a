// SPDX-License-Identifier: Apache-2.0
//
// The firmware's reader of flattened device trees, against the board's own tree and damaged ones.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

extern "C" {
#include "device-firmware/arch/riscv/device_tree.h"
}

namespace {

constexpr uint64_t ram = 0x80000000;

std::vector<uint8_t> board_tree() {
    std::ifstream file(RIVULET_TEST_TREE, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Copies to an allocation of exactly that size, so that a sanitizer detects reads beyond it.
bool read(const std::vector<uint8_t> &bytes, uint64_t address, device_tree &result) {
    std::unique_ptr<uint32_t[]> exact(new uint32_t[(bytes.size() + 3) / 4]);
    std::memcpy(exact.get(), bytes.data(), bytes.size());
    return device_tree_read(exact.get(), address, &result);
}

TEST(DeviceTree, TellsHartsTimeAndMemory) {
    auto bytes = board_tree();
    device_tree tree;
    ASSERT_TRUE(device_tree_read(bytes.data(), ram, &tree));
    EXPECT_EQ(tree.cpus.harts, 1u);
    EXPECT_EQ(tree.cpus.hart_id[0], 0u);
    EXPECT_EQ(tree.cpus.timebase, 10000000u);
    EXPECT_EQ(tree.cpus.cache_block, 64u);
    EXPECT_EQ(tree.memory_base, ram);
    EXPECT_EQ(tree.memory_bytes, 0x40000000u);
    EXPECT_TRUE(std::string_view(tree.cpus.isa).starts_with("rv64i"));
    EXPECT_EQ(tree.bytes, bytes.size());
}

std::vector<uint8_t> compiled(const std::string &source) {
    const std::string path = testing::TempDir() + "/tree." + std::to_string(getpid());
    std::ofstream(path + ".dts") << "/dts-v1/; " << source;
    EXPECT_EQ(std::system(("dtc -q -I dts -O dtb -o " + path + ".dtb " + path + ".dts").c_str()),
              0);
    std::ifstream file(path + ".dtb", std::ios::binary);
    std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    std::remove((path + ".dts").c_str());
    std::remove((path + ".dtb").c_str());
    return bytes;
}

/// A tree with these properties of its harts 3 and 0x80, and more nodes.
device_tree read_two(const std::string &first, const std::string &second,
                     const std::string &more = "", const std::string &before = "") {
    device_tree tree;
    EXPECT_TRUE(read(compiled(before +
                              "/ { #address-cells = <2>; #size-cells = <2>; "
                              "cpus { #address-cells = <1>; #size-cells = <0>; "
                              "cpu-map { }; cpu@3 { reg = <3>; " +
                              first + " }; cpu@80 { reg = <0x80>; " + second +
                              " }; }; memory@80000000 { reg = <0 0x80000000 0 0x1000000>; }; " +
                              more + "};"),
                     ram, tree));
    return tree;
}

TEST(DeviceTree, TakesTheExtensionsRatherThanTheOldString) {
    const std::string hart = R"(riscv,isa = "rv64imafdcv"; riscv,isa-base = "rv64i";
        riscv,isa-extensions = "i", "m", "zvfh", "sstc", "a", "zba", "c", "v", "f", "d", "svpbmt";)";
    const auto tree = read_two(hart, hart);
    EXPECT_STREQ(tree.cpus.isa, "rv64imafdcv_zvfh_zba");
    EXPECT_FALSE(tree.cpus.isa_differs);
}

TEST(DeviceTree, TellsTheFirstHartsCore) {
    const auto core = [](const std::string &list) {
        return std::string(
            read_two("compatible = " + list + ";", "compatible = \"a,b\";").cpus.core);
    };
    EXPECT_EQ(core(R"("spacemit,x60", "riscv")"), "spacemit,x60");
    EXPECT_EQ(core(R"("riscv")"), "");
    EXPECT_EQ(core("<1>"), "");
    EXPECT_EQ(core('"' + std::string(63, 'x') + '"'), std::string(63, 'x'));
    EXPECT_EQ(core('"' + std::string(64, 'x') + '"'), "");
    EXPECT_STREQ(read_two("", "").cpus.core, "");
}

TEST(DeviceTree, ExtensionsThatFindNoRoomAreLeftOutWhole) {
    std::string hart = "riscv,isa-base = \"rv64i\"; riscv,isa-extensions = \"i\"";
    for (int i = 0; i < 100; ++i)
        hart += ", \"zlong" + std::to_string(100 + i) + "\"";
    const auto tree = read_two(hart + ";", hart + ";");
    EXPECT_TRUE(std::string_view(tree.cpus.isa).starts_with("rv64i_zlong100_zlong101"));
    EXPECT_EQ(std::string_view(tree.cpus.isa).substr(std::strlen(tree.cpus.isa) - 9, 6), "_zlong");
    EXPECT_EQ(tree.cpus.isa[sizeof tree.cpus.isa - 1], 0);
}

TEST(DeviceTree, TellsWhatIsReservedForOthers) {
    const auto tree = read_two("", "",
                               R"(reserved-memory { #address-cells = <2>; #size-cells = <2>; ranges;
                        ours@80000000 { reg = <0 0x80000000 0 0x200000>; };
                        theirs@80400000 { reg = <0 0x80400000 0 0x1000>; };
                        unused@80500000 { reg = <0 0x80500000 0 0x1000>; status = "disabled"; };
                        somewhere { size = <0 0x1000>; }; };)",
                               "/memreserve/ 0x80800000 0x3000; ");
    ASSERT_EQ(tree.reserved_ranges, 2u);
    EXPECT_EQ(tree.reserved[0].base, 0x80800000u);
    EXPECT_EQ(tree.reserved[0].bytes, 0x3000u);
    EXPECT_EQ(tree.reserved[1].base, 0x80400000u);
}

TEST(DeviceTree, TellsWhichHartHasAnotherIsa) {
    const auto isa = [](const std::string &text) { return "riscv,isa = \"" + text + "\";"; };
    EXPECT_FALSE(read_two(isa("rv64imac"), isa("rv64imac")).cpus.isa_differs);
    const auto tree = read_two(isa("rv64imac"), isa("rv64imafdc"));
    EXPECT_TRUE(tree.cpus.isa_differs);
    EXPECT_EQ(tree.cpus.differing_hart_id, 0x80u);
    EXPECT_EQ(tree.cpus.hart_id[0], 3u);
    EXPECT_EQ(tree.cpus.hart_id[1], 0x80u);
}

TEST(DeviceTree, WithoutTheMemoryAskedForIsNone) {
    device_tree tree;
    EXPECT_FALSE(read(board_tree(), 0x1000, tree));
}

TEST(DeviceTree, OtherBytesAreNone) {
    device_tree tree;
    EXPECT_FALSE(device_tree_read(nullptr, ram, &tree));
    EXPECT_FALSE(read(std::vector<uint8_t>(64), ram, tree));
}

TEST(DeviceTree, DamagedOnesDoNoHarm) {
    const auto good = board_tree();
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        auto bytes = good;
        for (uint32_t flips = 1 + random() % 4; flips; --flips)
            bytes[4 + random() % (bytes.size() - 4)] = static_cast<uint8_t>(random());
        // The size field stays as the loader set it: no more than that can be read.
        for (size_t i = 0; i < 4; ++i)
            bytes[4 + i] = good[4 + i];
        device_tree tree;
        (void)read(bytes, ram, tree);
    }
}

} // namespace
