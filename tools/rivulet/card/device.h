// SPDX-License-Identifier: Apache-2.0
//
// The card itself: QEMU, its RAM and its doorbell, without a host.
#pragma once

#include <memory>

#include "hal/drivers/qemu/doorbell.h"
#include "hal/drivers/qemu/emulator.h"
#include "hal/drivers/qemu/memory.h"
#include "hal/drivers/qemu/process.h"

namespace rivulet::tools {

class CardDevice {
public:
    /// `window` is a file to be used as its memory; "": anonymous memory. `log` receives the output
    /// of QEMU and the device's console.
    static Result<std::unique_ptr<CardDevice>> create(hal::Config config, const std::string &window,
                                                      const rvl_host *log);
    ~CardDevice();

    [[nodiscard]] const hal::qemu::Machine &machine() const { return emulator_.machine; }
    [[nodiscard]] const hal::qemu::GuestMemory &memory() const { return memory_; }
    [[nodiscard]] const hal::qemu::Doorbell &doorbell() const { return doorbell_; }
    [[nodiscard]] const std::string &firmware() const { return firmware_; }
    /// A descriptor that becomes readable when QEMU has ended by itself.
    [[nodiscard]] int ended() const { return ended_.get(); }

    /// Loads the firmware into cleared memory.
    Result<> load();
    /// Lets the harts run.
    Result<> start();
    /// Stops the harts; memory is cleared afterwards.
    void stop();
    /// Marks the firmware as crashed in the mailbox, because it can't do so itself.
    void tell_death();
    [[nodiscard]] bool runs() const { return process_ != nullptr; }

private:
    CardDevice(hal::qemu::Emulator emulator, hal::qemu::GuestMemory memory,
               hal::qemu::Doorbell doorbell, const rvl_host *log)
        : emulator_(std::move(emulator)), memory_(std::move(memory)),
          doorbell_(std::move(doorbell)), report_(log) {}

    hal::qemu::Emulator emulator_;
    hal::qemu::GuestMemory memory_;
    hal::qemu::Doorbell doorbell_;
    hal::Reporter report_;
    std::string window_; // removed at the end
    std::string firmware_;
    FileDescriptor ended_, doorbell_end_;
    std::unique_ptr<hal::qemu::Process> process_; // last, so that it is destroyed first
};

} // namespace rivulet::tools
