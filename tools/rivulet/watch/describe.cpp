// SPDX-License-Identifier: Apache-2.0
//
// A device's state as JSON and as text.
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "hal/core/describe.h"
#include "hal/device.h"
#include "tools/rivulet/watch/watcher.h"

namespace rivulet::tools {
namespace {

using namespace hal;
using Json = nlohmann::ordered_json;

constexpr std::array kinds = {"",
                              "fetch outside of its code",
                              "illegal instruction",
                              "load outside of its memory",
                              "store outside of its memory",
                              "stack overflow",
                              "misaligned atomic",
                              "time limit",
                              "trap"};

double rounded(double value) { return std::round(value * 1000) / 1000; }

Json described(const RingFill &fill) { return {{"used", fill.used}, {"slots", fill.slots}}; }

Json described(const HartSample &hart, bool has_states) {
    const auto &statistics = hart.statistics;
    Json json = {{"mhartid", statistics.hart_id}};
    if (has_states && statistics.since != 0) {
        json["state"] = statistics.launch == 0 ? "idle" : "working";
        if (statistics.launch != 0)
            json["launch"] = statistics.launch;
        json["since_s"] = rounded(hart.since_s);
    }
    if (hart.busy_share >= 0)
        json["busy"] = rounded(hart.busy_share);
    json["launches"] = statistics.launches;
    json["groups"] = statistics.groups;
    json["instructions"] = statistics.instructions;
    json["idle_s"] = rounded(hart.idle_s);
    json["wakes"] = hart.wake_count;
    return json;
}

} // namespace

std::string state_text(uint32_t state) {
    return std::string(state_name(static_cast<rvl_state>(state)));
}

std::string fault_text(const rvl_fault &fault) {
    return text({"launch ", fault.launch, ": ",
                 fault.kind < kinds.size() ? kinds[fault.kind] : "trap", " at pc ",
                 hex(fault.pc - fault.image_base), " of its image, value ", hex(fault.value),
                 ", hart ", fault.hart, ", groups ", fault.first_group, "+", fault.groups});
}

Json described(Watcher &watcher, const Sample &sample) {
    Json json = {{"device", watcher.memory().title()},
                 {"state", state_text(sample.state)},
                 {"board", sample.hello.board},
                 {"isa", sample.hello.isa},
                 {"vlen", sample.hello.vlen},
                 {"protocol", version_text(sample.hello.protocol)},
                 {"mailbox", hex(watcher.mailbox())},
                 {"session", sample.hello.session},
                 {"heartbeat",
                  {{"count", sample.heartbeat.count},
                   {"device_time_s", rounded(static_cast<double>(sample.heartbeat.time) /
                                             static_cast<double>(sample.hello.timebase))}}},
                 {"commands", described(sample.commands)},
                 {"completions", described(sample.completions)},
                 {"log_bytes", described(sample.log)},
                 {"log_lost", sample.log_lost}};
    if (sample.heartbeat_age_s >= 0)
        json["heartbeat"]["age_s"] = rounded(sample.heartbeat_age_s);
    if (Json conditions = described(sample.conditions); !conditions.empty())
        json["conditions"] = std::move(conditions);
    Json &harts = json["harts"] = Json::array();
    for (const HartSample &hart : sample.harts)
        harts.push_back(described(hart, sample.state == RVL_STATE_RUNNING));
    Json &faults = json["faults"] = Json::array();
    for (const rvl_fault &fault : sample.faults)
        faults.push_back(fault_text(fault));
    if (sample.crash.magic != 0)
        json["crash"] = {{"hart", sample.crash.hart},
                         {"reason", sample.crash.reason},
                         {"pc", hex(sample.crash.pc)},
                         {"mcause", hex(sample.crash.cause)},
                         {"mtval", hex(sample.crash.value)}};
    return json;
}

} // namespace rivulet::tools
