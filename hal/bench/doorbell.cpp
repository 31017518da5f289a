// SPDX-License-Identifier: Apache-2.0
#include "hal/bench/doorbell.h"

#include <algorithm>
#include <thread>

namespace rivulet::hal {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

Result<double> ping(Device &device, uint16_t token) {
    rvl_slot slot{};
    slot.header = {
        .group = RVL_GROUP_BASE, .service = RVL_BASE_PING, .flags = 0, .length = 0, .token = token};
    const auto sent = Clock::now();
    if (const auto done = device.submit({&slot, 1}); !done)
        return std::unexpected(done.error());
    const auto deadline = sent + 10s;
    while (Clock::now() < deadline) {
        const auto answers = device.completions(deadline - Clock::now());
        if (!answers)
            return std::unexpected(answers.error());
        for (const rvl_slot &answer : *answers)
            if (answer.header.group == RVL_GROUP_BASE && answer.header.token == token)
                return std::chrono::duration<double, std::micro>(Clock::now() - sent).count();
    }
    return std::unexpected(Error{RVL_TIMEOUT, "the device did not answer a ping within 10 s"});
}

Result<RoundTrips> measure(Device &device, int count, std::chrono::microseconds pause) {
    std::vector<double> times;
    for (int i = -10; i < count; ++i) { // the first ones are for warming up
        std::this_thread::sleep_for(pause);
        const auto time = ping(device, static_cast<uint16_t>(i & 0x7fff));
        if (!time)
            return std::unexpected(time.error());
        if (i >= 0)
            times.push_back(*time);
    }
    std::ranges::sort(times);
    return RoundTrips{times[times.size() / 2], times[times.size() * 99 / 100]};
}

} // namespace

Result<DoorbellFigures> measure_doorbell(Device &device, int count) {
    const auto close = measure(device, count, 0us);
    if (!close)
        return std::unexpected(close.error());
    const auto apart = measure(device, count, 1000us);
    if (!apart)
        return std::unexpected(apart.error());
    return DoorbellFigures{*close, *apart};
}

} // namespace rivulet::hal
