// SPDX-License-Identifier: Apache-2.0
//
// rivulet-doorbell: the bare doorbell's round trip on the first device of this host.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/build_version.h"
#include "hal/bench/doorbell.h"
#include "tools/command_line/documents.h"

using namespace rivulet;
using namespace rivulet::hal;

namespace {

int complain(const Error &error) {
    std::fprintf(stderr, "rivulet-doorbell: %s\n", error.message.c_str());
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Measures the round trip of a ping to the device's firmware", "rivulet-doorbell");
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    bool json = false;
    bool verbose = false;
    int count = 2000;
    app.add_flag("--json", json, "print JSON");
    app.add_flag("-v,--verbose", verbose, "print the log");
    app.add_option("-n,--count", count, "round trips of each kind")
        ->check(CLI::Range(1, 1'000'000));
    if (const auto status = rivulet::command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }

    const auto log = [verbose](int level, std::string_view text) {
        if (verbose || level <= 1)
            std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
    };
    std::vector<Error> errors;
    const auto devices = Config::of_host(errors);
    for (const Error &error : errors)
        complain(error);
    if (devices.empty())
        return 1;
    const auto device = Device::open(devices.front(), log);
    if (!device)
        return complain(device.error());
    const auto before = std::chrono::steady_clock::now();
    if (const auto started = (*device)->start(); !started)
        return complain(started.error());
    const double start_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before)
            .count();
    log(2, "the device has started");
    const auto figures = measure_doorbell(**device, count);
    if (!figures)
        return complain(figures.error());

    const auto &[close, apart] = *figures;
    const char *format = json ? "{\"machine\": \"%s\", \"harts\": %u, \"start_ms\": %.1f, "
                                "\"back_to_back_us\": {\"median\": %.2f, \"p99\": %.2f}, "
                                "\"apart_us\": {\"median\": %.2f, \"p99\": %.2f}}\n"
                              : "%s, %u harts: started in %.1f ms\n"
                                "back to back  median %8.2f us  p99 %8.2f us\n"
                                "1 ms apart    median %8.2f us  p99 %8.2f us\n";
    std::printf(format, (*device)->description().name, (*device)->hello().harts, start_ms,
                close.median, close.p99, apart.median, apart.p99);
    return 0;
}
