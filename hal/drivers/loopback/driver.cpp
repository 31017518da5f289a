// SPDX-License-Identifier: Apache-2.0
//
// The loopback drivers: the same firmware, as threads of this process, running kernels in the
// host's own instructions. For tests, sanitizers and debuggers; nothing is isolated here.
//
//   loopback              maps, coherent
//   loopback-unmapped     read and write only, as a debug port
//   loopback-noncoherent  maps a cache that has to be kept (cache.h), as many boards
#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "device-firmware/host/firmware_host.h"
#include "hal/core/config.h"
#include "hal/core/error.h"
#include "hal/core/thread.h"
#include "hal/drivers/loopback/bell.h"
#include "hal/drivers/loopback/cache.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::loopback {
namespace {

constexpr uint64_t default_memory = 256ull << 20;
constexpr uint32_t most_default_harts = 8;

/// An anonymous mapping.
class Pages {
public:
    Pages() = default;
    Pages(size_t bytes, int access) : bytes_(bytes) {
        void *pages =
            mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages != MAP_FAILED)
            start_ = static_cast<std::byte *>(pages);
    }
    Pages(Pages &&other) noexcept
        : start_(std::exchange(other.start_, nullptr)), bytes_(other.bytes_) {}
    Pages &operator=(Pages &&other) noexcept {
        std::swap(start_, other.start_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Pages() {
        if (start_ != nullptr)
            munmap(start_, bytes_);
    }
    [[nodiscard]] std::byte *get() const { return start_; }
    void clear() { madvise(start_, bytes_, MADV_DONTNEED); }

private:
    std::byte *start_ = nullptr;
    size_t bytes_ = 0;
};

enum class Kind { mapped, unmapped, noncoherent };

struct LoopbackDevice {
    Reporter report;
    Kind kind;
    uint32_t harts;
    uint32_t vlen;
    Pages memory; // the device's; its addresses are the device addresses
    Pages shadow; // what the host's cache holds, noncoherent only
    size_t bytes;
    Bell bell;
    rvl_firmware_host *firmware = nullptr;

    [[nodiscard]] uint64_t base() const { return reinterpret_cast<uintptr_t>(memory.get()); }
    [[nodiscard]] std::byte *at(uint64_t address) const {
        return memory.get() + (address - base());
    }
    [[nodiscard]] Cache cache() const { return {shadow.get(), memory.get()}; }
};

LoopbackDevice &self(rvl_device *device) { return *reinterpret_cast<LoopbackDevice *>(device); }

uint32_t number(const Settings &settings, std::string_view key, uint32_t fallback) {
    return static_cast<uint32_t>(parse_number(settings.get(key)).value_or(fallback));
}

uint32_t default_harts() {
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return std::clamp<uint32_t>(static_cast<uint32_t>(cores), 1, most_default_harts);
}

template <Kind kind>
rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    const Settings settings(config);
    *count = 1;
    if (capacity == 0)
        return RVL_OK;
    rvl_device_desc &device = devices[0];
    device = {};
    device.size = sizeof device;
    device.flags = RVL_DEVICE_BUILT_IN_FIRMWARE;
    if constexpr (kind != Kind::unmapped)
        device.flags |= RVL_DEVICE_MAPS;
    if constexpr (kind != Kind::noncoherent)
        device.flags |= RVL_DEVICE_COHERENT;
    if constexpr (kind == Kind::mapped)
        device.flags |= RVL_DEVICE_ATOMICS;
    constexpr const char *names[] = {"loopback", "loopback-unmapped", "loopback-noncoherent"};
    std::strcpy(device.name, names[static_cast<int>(kind)]);
    std::strcpy(device.board, "loopback");
    std::strcpy(device.isa, "host");
    device.harts = number(settings, "harts", default_harts());
    device.xlen = 64;
    device.vlen = number(settings, "vlen", 0);
    device.memory_bytes = parse_number(settings.get("memory")).value_or(default_memory);
    const uint64_t least = RVL_FIRMWARE_HOST_LEAST_BYTES(device.harts);
    if (device.memory_bytes < least || device.memory_bytes % RVL_PAGE_BYTES != 0)
        return Reporter(host).fail(RVL_INVALID,
                                   {device.name, " with ", device.harts, " harts needs at least ",
                                    bytes_text(least), " of memory, in whole pages, and was given ",
                                    bytes_text(device.memory_bytes),
                                    "; set it with RIVULET_MACHINE=\"loopback,memory=256M\""});
    return RVL_OK;
}

template <Kind kind>
rvl_status open(const rvl_config *config, const rvl_device_desc *description, const rvl_host *host,
                rvl_device **opened) {
    const Reporter report(host);
    if (const auto known = Settings(config).check("loopback", {"vlen"}); !known)
        return report.fail(known.error());
    const size_t bytes = description->memory_bytes;
    Pages memory(bytes, PROT_READ | PROT_WRITE | PROT_EXEC); // kernel images run in it
    Pages shadow;
    if constexpr (kind == Kind::noncoherent)
        shadow = Pages(bytes, PROT_READ | PROT_WRITE);
    if (memory.get() == nullptr || (kind == Kind::noncoherent && shadow.get() == nullptr))
        return report.fail(RVL_NO_MEMORY, {"cannot map ", bytes_text(bytes),
                                           " of executable memory: ", errno_text(errno),
                                           "; give the machine less, with memory=64M say"});
    *opened = reinterpret_cast<rvl_device *>(new LoopbackDevice{
        .report = report,
        .kind = kind,
        .harts = description->harts,
        .vlen = description->vlen,
        .memory = std::move(memory),
        .shadow = std::move(shadow),
        .bytes = bytes,
        .bell = {},
    });
    return RVL_OK;
}

rvl_status describe(rvl_device *device, rvl_device_desc *description) {
    description->memory_base = description->mailbox = self(device).base();
    return RVL_OK;
}

void stop(LoopbackDevice &device) {
    if (device.firmware != nullptr)
        rvl_firmware_host_stop(std::exchange(device.firmware, nullptr));
}

void close(rvl_device *device) {
    self(device).bell.ring();
    stop(self(device));
    delete &self(device);
}

rvl_status load(rvl_device *, const void *, size_t) { return RVL_UNSUPPORTED; }

rvl_status start(rvl_device *handle) {
    auto &device = self(handle);
    const rvl_firmware_host_config config{
        .memory = device.memory.get(),
        .bytes = device.bytes,
        .harts = device.harts,
        .vlen = device.vlen,
        .isa = "host",
        .user = &device,
        .ring_host = [](void *user) { static_cast<LoopbackDevice *>(user)->bell.ring(); },
        .log = nullptr,
    };
    const SignalsBlocked blocked;
    device.firmware = rvl_firmware_host_start(&config);
    if (device.firmware == nullptr)
        return device.report.fail(RVL_NO_MEMORY,
                                  {"cannot start the firmware's ", device.harts, " threads"});
    return RVL_OK;
}

rvl_status reset(rvl_device *handle) {
    auto &device = self(handle);
    stop(device);
    device.memory.clear();
    if (device.kind == Kind::noncoherent)
        device.shadow.clear();
    return RVL_OK;
}

template <Kind kind> rvl_status map(rvl_device *handle, uint64_t address, size_t, void **host) {
    const auto &device = self(handle);
    const Pages &seen = kind == Kind::noncoherent ? device.shadow : device.memory;
    *host = seen.get() + (address - device.base());
    return RVL_OK;
}

rvl_status read(rvl_device *device, uint64_t address, void *to, size_t bytes) {
    copy_from_device(static_cast<std::byte *>(to), self(device).at(address), bytes);
    return RVL_OK;
}

rvl_status write(rvl_device *handle, uint64_t address, const void *from, size_t bytes) {
    const auto &device = self(handle);
    copy_to_device(device.at(address), static_cast<const std::byte *>(from), bytes);
    if (device.kind == Kind::noncoherent) // past the cache, so its copy is old now
        device.cache().invalidate(address - device.base(), bytes);
    return RVL_OK;
}

rvl_status sync(rvl_device *handle, uint64_t address, size_t bytes, rvl_sync_direction direction) {
    const auto &device = self(handle);
    if (device.kind != Kind::noncoherent)
        return RVL_OK;
    if ((direction & RVL_SYNC_TO_DEVICE) != 0)
        device.cache().clean(address - device.base(), bytes);
    if ((direction & RVL_SYNC_FROM_DEVICE) != 0)
        device.cache().invalidate(address - device.base(), bytes);
    return RVL_OK;
}

rvl_status ring(rvl_device *device, uint64_t hart_mask) {
    if (self(device).firmware != nullptr)
        rvl_firmware_host_ring(self(device).firmware, hart_mask);
    return RVL_OK;
}

rvl_status wait(rvl_device *device, uint64_t timeout_ns) {
    return self(device).bell.wait(timeout_ns) ? RVL_OK : RVL_TIMEOUT;
}

rvl_status wake(rvl_device *device) {
    self(device).bell.ring();
    return RVL_OK;
}

template <Kind kind> constexpr rvl_driver table(const char *name) {
    return {
        .hal_version = RVL_HAL_VERSION,
        .size = sizeof(rvl_driver),
        .name = name,
        .enumerate = guarded<enumerate<kind>>,
        .open = guarded<open<kind>>,
        .close = close,
        .load = guarded<load>,
        .start = guarded<start>,
        .reset = guarded<reset>,
        .map = kind == Kind::unmapped ? nullptr : map<kind>,
        .read = read,
        .write = write,
        .sync = sync,
        .ring = ring,
        .wait = wait,
        .wake = wake,
        .describe = describe,
    };
}

constexpr rvl_driver drivers[] = {
    table<Kind::mapped>("loopback"),
    table<Kind::unmapped>("loopback-unmapped"),
    table<Kind::noncoherent>("loopback-noncoherent"),
};

} // namespace
} // namespace rivulet::hal::loopback

const rvl_driver *rvl_driver_named(const char *name) {
    for (const rvl_driver &driver : rivulet::hal::loopback::drivers)
        if (std::strcmp(driver.name, name) == 0)
            return &driver;
    return nullptr;
}
