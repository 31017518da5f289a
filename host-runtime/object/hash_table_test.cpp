// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/hash_table.h"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>
#include <vector>

namespace rivulet {
namespace {

struct Thing {
    const void *key = nullptr;
    Thing *next = nullptr;
};

size_t probes = 0; // keys examined by the table

const void *key_of(const Thing &thing) {
    ++probes;
    return thing.key;
}

constexpr unsigned used_bits = 5;
using Table = HashTable<Thing, &Thing::next, &key_of, used_bits>;

/// Elements for one of the tables selected by those bits, as for handles.
std::vector<Thing> things_of_one_table(size_t count, uintptr_t distance) {
    std::vector<Thing> things;
    for (uintptr_t at = 0x7f3200001010; things.size() < count; at += distance) {
        const void *key = reinterpret_cast<const void *>(at);
        if (hash_of_address(key) % (1u << used_bits) == 7)
            things.push_back({key});
    }
    return things;
}

class HashTables : public testing::TestWithParam<uintptr_t> {};

// One shard of a million handles.
TEST_P(HashTables, LookAtFewKeysHoweverManyThereAre) {
    std::vector<Thing> things = things_of_one_table(1'000'000 >> used_bits, GetParam());
    Table table;
    probes = 0;
    for (Thing &thing : things)
        table.insert(thing);
    EXPECT_LT(probes, 4 * things.size()) << "inserting";
    size_t most = 0;
    size_t all = 0;
    for (const Thing &thing : things) {
        probes = 0;
        ASSERT_EQ(table.find(thing.key), &thing);
        most = std::max(most, probes);
        all += probes;
    }
    EXPECT_LT(most, 16u);
    EXPECT_LT(all, 2 * things.size());
    probes = 0;
    for (Thing &thing : things)
        table.erase(thing);
    EXPECT_LT(probes, 6 * things.size()) << "erasing";
    EXPECT_EQ(table.find(things.front().key), nullptr);
}

INSTANTIATE_TEST_SUITE_P(ByDistance, HashTables,
                         testing::Values(16, 48, 64, 96, 416, 432, 1024, 4096, 65536));

TEST(HashTables, KnowWhatIsInThem) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<Thing> things = things_of_one_table(20'000, 16);
    std::unordered_set<const Thing *> inside;
    Table table;
    // In waves, so that the table grows and shrinks several times.
    for (int round = 0; round < 400'000; ++round) {
        Thing &thing = things[random() % things.size()];
        const bool fills = round / 40'000 % 2 == 0;
        ASSERT_EQ(table.find(thing.key), inside.contains(&thing) ? &thing : nullptr);
        if (!inside.contains(&thing) && fills) {
            table.insert(thing);
            inside.insert(&thing);
        } else if (inside.contains(&thing) && !fills) {
            table.erase(thing);
            inside.erase(&thing);
        }
    }
}

} // namespace
} // namespace rivulet
