// SPDX-License-Identifier: Apache-2.0
//
// The QEMU that runs a machine profile, and its command line.
#pragma once

#include <string>
#include <vector>

#include "hal/drivers/qemu/machine.h"

namespace rivulet::hal::qemu {

inline constexpr uint64_t virt_memory_base = 0x80000000; // VIRT_DRAM of QEMU's virt machine

struct Emulator {
    Machine machine;
    std::string program;
    std::string gdb; // path of a UNIX socket for gdb's `target remote`
    bool holds;      // the harts wait until gdb lets them run
    bool sandboxed;  // sandbox=off is for a QEMU built without seccomp
};

/// The program selected by the settings qemu, gdb and sandbox.
Result<Emulator> find_emulator(const Settings &settings, Machine machine);

/// The arguments: RAM is descriptor 3, the ivshmem server's socket descriptor 4 and, for a machine
/// with an SBI, the firmware's file descriptor 5.
std::vector<std::string> command_line(const Emulator &emulator);

/// Advice about a QEMU that is too old, else "". Called only after QEMU failed, because asking for
/// its version takes as long as starting a device.
std::string version_advice(const std::string &program);

} // namespace rivulet::hal::qemu
