// SPDX-License-Identifier: Apache-2.0
//
// Starts the device that the environment names, makes its firmware fail (trap, assert, overflow,
// overrun or hang), waits for its death and prints the reason.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "hal/device.h"

using namespace rivulet;

namespace {

constexpr struct {
    const char *name;
    rvl_injection kind;
} failures[] = {
    {"trap", RVL_INJECT_TRAP},       {"assert", RVL_INJECT_ASSERT},
    {"hang", RVL_INJECT_HANG},       {"overflow", RVL_INJECT_STACK_OVERFLOW},
    {"overrun", RVL_INJECT_OVERRUN},
};

} // namespace

int main(int argc, char **argv) {
    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_BASE,
                   .service = RVL_BASE_INJECT,
                   .flags = 0,
                   .length = sizeof(rvl_inject),
                   .token = 1};
    for (const auto &[name, kind] : failures)
        if (argc == 2 && std::strcmp(argv[1], name) == 0)
            slot.inject.kind = kind;
    if (slot.inject.kind == 0)
        return 2;
    auto device = hal::Device::open(
        hal::Config::from_environment().front(), [](int level, std::string_view text) {
            if (level == 0)
                std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
        });
    if (!device || !(*device)->start() || (*device)->submit({&slot, 1}).value_or(0) != 1)
        return 1;
    for (;;)
        if (const auto done = (*device)->completions(std::chrono::seconds(60)); !done) {
            std::printf("died: %s\n", done.error().message.c_str());
            return 0;
        }
}
