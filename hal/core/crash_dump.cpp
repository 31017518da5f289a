// SPDX-License-Identifier: Apache-2.0
#include "hal/core/crash_dump.h"

#include <unistd.h>

#include <atomic>
#include <exception>

#include "base/core_file.h"
#include "hal/core/device_core.h"

namespace {

using namespace rivulet;
using namespace rivulet::hal;

/// A file name not used by an earlier crash of this or another process. Devices may crash at the
/// same time.
std::string free_name(const char *folder) {
    constexpr int most_tries = 1000;
    static std::atomic<int> deaths = 0;
    std::string path;
    for (int tries = 0; tries < most_tries; ++tries) {
        path = text({folder, "/rivulet-", getpid(), "-", ++deaths, ".core"});
        if (access(path.c_str(), F_OK) != 0)
            break;
    }
    return path;
}

Result<std::string> write(const rivulet_crash_request &request) {
    const CoreReader read = [&](uint64_t address, std::span<std::byte> to) -> Result<> {
        const auto status = request.read(request.user, address, to.data(), to.size());
        if (status != RVL_OK)
            return fail(status, {"device memory at ", hex(address), " can't be read"});
        return {};
    };
    const auto core =
        core_of_device(*request.hello, request.mailbox, {request.memory_base, request.memory_bytes},
                       request.with_harts != 0, read);
    if (!core)
        return std::unexpected(core.error());
    auto path = free_name(request.folder);
    if (auto written = write_core(path, *core, read); !written)
        return std::unexpected(written.error());
    return path;
}

} // namespace

void rivulet_write_crash(const rivulet_crash_request *request) {
    try {
        const auto path = write(*request);
        const auto line = path ? text({"the device's memory and registers are in ", *path,
                                       "; gdb-multiarch FIRMWARE.elf ", *path, " opens it"})
                               : text({"no crash dump: ", path.error().message});
        request->host->log(request->host->user, 0, line.c_str());
    } catch (const std::exception &) {
        request->host->log(request->host->user, 0, "no crash dump: out of memory");
    }
}
