// SPDX-License-Identifier: Apache-2.0
#include "hal/core/crash_report.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/data_directory.h"
#include "base/environment.h"
#include "base/printable.h"
#include "hal/core/crash_dump.h"
#include "hal/protocol/crash.h"

namespace rivulet::hal {
namespace {

constexpr std::array register_names = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                       "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                       "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                       "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

[[clang::minsize]] std::string registers_of(const rvl_crash &crash) {
    std::string lines;
    for (size_t i = 1; i < register_names.size(); ++i)
        lines += text({(i - 1) % 6 == 0 ? "\n  " : " ", register_names[i], "=", hex(crash.x[i])});
    return lines;
}

[[clang::minsize]] std::string words_of(std::string_view title, std::span<const uint64_t> words) {
    if (words.empty())
        return "";
    std::string line = text({"\n  ", title});
    for (const uint64_t word : words)
        line += text({" ", hex(word)});
    return line;
}

} // namespace

bool CrashReport::is_there() {
    uint32_t magic = 0;
    return link_.hello.crash != 0 && link_.memory.contains(link_.hello.crash, sizeof(rvl_crash)) &&
           link_.memory.read(link_.hello.crash, &magic, sizeof magic) && magic == RVL_CRASH_MAGIC;
}

/// Logs what the firmware has recorded of its failure, once, and returns the reason; empty if there
/// is nothing.
[[clang::minsize]] std::string CrashReport::recorded() {
    rvl_crash crash{};
    if (!is_there() || !link_.memory.read(link_.hello.crash, &crash, sizeof crash))
        return {};
    make_printable(crash.reason);
    make_printable(crash.log, '\n');
    const std::string reason = text({"the firmware failed: ", crash.reason});
    if (logged_.exchange(true))
        return reason;
    const std::span stack(crash.stack);
    const std::span callers =
        std::span(crash.caller).first(std::min<size_t>(crash.callers, std::size(crash.caller)));
    std::string log = text({"\n  ", crash.log});
    for (size_t at = 0; (at = log.find('\n', at + 1)) != std::string::npos && at + 1 < log.size();)
        log.replace(at, 1, "\n  ");
    while (log.ends_with('\n') || log.ends_with(' '))
        log.pop_back();
    link_.callbacks->log(
        0, text({"the firmware failed on hart ", crash.hart, " (mhartid ", crash.hart_id,
                 "): ", crash.reason, "\n  pc=", hex(crash.pc), " mcause=", hex(crash.cause),
                 " mtval=", hex(crash.value), " mstatus=", hex(crash.status), registers_of(crash),
                 words_of("callers (probably):", callers), words_of("stack:", stack),
                 "\n  its last lines:", log}));
    return reason;
}

[[clang::minsize]] std::string CrashReport::report() {
    crashed_.store(true);
    static_cast<void>(log_.address() != 0 ? log_.drain() : Result<>{});
    const std::string reason = recorded();
    dump();
    return reason.empty() ? "the firmware failed; the last lines of its log say why" : reason;
}

[[clang::minsize]] std::string CrashReport::report_of_silence() {
    const std::string reason = recorded();
    dump();
    return reason;
}

std::string CrashReport::report_left() {
    return !link_.callbacks->dead() && is_there() ? report_of_silence() : std::string();
}

/// Writes the device's memory and registers to a core file, once, if RIVULET_CRASH_DUMP requests
/// it.
[[clang::minsize]] void CrashReport::dump() {
    const char *folder = environment(Variable::crash_dump);
    if (folder == nullptr || link_.mailbox == 0 || dumped_.exchange(true))
        return;
    void *library = dlopen((find_driver_directory() + "/crash.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto write = library != nullptr ? reinterpret_cast<decltype(&rivulet_write_crash)>(
                                                dlsym(library, "rivulet_write_crash"))
                                          : nullptr;
    if (write == nullptr) {
        link_.callbacks->log(0, "no crash dump: crash.so is missing; install all of lib/rivulet");
        return;
    }
    const rivulet_crash_request request{
        .size = sizeof request,
        // reading from other devices is slow
        .with_harts = (link_.description.flags & RVL_DEVICE_MAPS) != 0,
        .folder = folder,
        .hello = &link_.hello,
        .mailbox = link_.mailbox,
        .memory_base = link_.description.memory_base,
        .memory_bytes = link_.description.memory_bytes,
        .host = link_.callbacks->c_interface(),
        .user = &link_.memory,
        .read = [](void *memory, uint64_t address, void *to, size_t bytes) -> rvl_status {
            const auto read = static_cast<Memory *>(memory)->read(address, to, bytes);
            return read ? RVL_OK : read.error().status;
        },
    };
    write(&request);
}

} // namespace rivulet::hal
