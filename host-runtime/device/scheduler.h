// SPDX-License-Identifier: Apache-2.0
//
// What hands commands to a device instance and ends them when the device dies. The graph, which is
// above this folder, implements it.
#pragma once

#include <memory>
#include <string_view>

namespace rivulet {

class DeviceInstance;

class Scheduler {
public:
    virtual ~Scheduler() = default;
    [[nodiscard]] virtual bool alive() const = 0;
    /// Ends all commands with an error and never accesses the device again.
    virtual void retire(std::string_view reason) = 0;
};

/// Defined in graph/device_scheduler.cpp.
std::unique_ptr<Scheduler> make_scheduler(DeviceInstance &instance);

} // namespace rivulet
