// SPDX-License-Identifier: Apache-2.0
//
// One life of an accelerator: from its start to its death or the end of the process. Contexts
// hold the session they were made in; after a death a new context starts a new one.
#pragma once

#include <memory>
#include <span>

#include "hal/device.h"
#include "host-runtime/memory/heap.h"

namespace rivulet {

class Engine;

class Session {
public:
    explicit Session(hal::Device &device);
    ~Session();

    [[nodiscard]] hal::Device &hal() { return hal_; }
    [[nodiscard]] const rvl_hello &hello() const { return hal_.hello(); }
    [[nodiscard]] const std::shared_ptr<Heap> &heap() const { return heap_; }
    [[nodiscard]] Engine &engine() { return *engine_; }
    [[nodiscard]] bool alive() const;

    /// The host's pointer to device memory; nullptr when the driver can't map.
    [[nodiscard]] std::byte *host_pointer(uint64_t address) const {
        return mapping_ ? mapping_ + (address - hello().heap_base) : nullptr;
    }

    // Device memory by address. Fail with CL_OUT_OF_RESOURCES on a dead device.
    void read(uint64_t address, std::span<std::byte> to);
    void write(uint64_t address, std::span<const std::byte> from);
    /// Around accesses through host_pointer; nothing on coherent devices.
    void sync(uint64_t address, size_t bytes, rvl_sync_direction direction);

private:
    hal::Device &hal_;
    std::shared_ptr<Heap> heap_;
    std::byte *mapping_ = nullptr;
    bool coherent_ = true;
    std::unique_ptr<Engine> engine_;
};

} // namespace rivulet
