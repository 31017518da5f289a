// SPDX-License-Identifier: Apache-2.0
//
// The loopback drivers: the same firmware as threads of this process, running kernels in the
// host's own instructions; on hosts of RISC-V these are the device's images. For tests, sanitizers
// and debuggers; nothing is isolated here.
//
//   loopback              maps, coherent
//   loopback-unmapped     read and write only, as a debug port
//   loopback-noncoherent  host and harts each have a cache that has to be kept (cache.h)
//
// With keep=NAME the firmware lives on when the device is closed, until the process ends: a caller
// that opens the driver with that name again finds it running, like a card that outlives its hosts.
#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/parse.h"
#include "base/thread.h"
#include "device-firmware/host/firmware_host.h"
#include "hal/core/config.h"
#include "hal/drivers/loopback/bell.h"
#include "hal/drivers/loopback/cache.h"
#include "hal/drivers/loopback/host_isa.h"
#include "hal/drivers/model_unit.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::loopback {
namespace {

constexpr uint64_t default_memory = 256ull << 20;
constexpr uint32_t most_default_harts = 8;
constexpr uint32_t least_cache_block = 32, most_cache_block = 256;

/// An anonymous mapping.
class Pages {
public:
    Pages() = default;
    Pages(size_t bytes, int access) : bytes_(bytes), access_(access) {
        void *pages =
            mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages != MAP_FAILED)
            start_ = static_cast<std::byte *>(pages);
    }
    Pages(Pages &&other) noexcept
        : start_(std::exchange(other.start_, nullptr)), bytes_(other.bytes_),
          access_(other.access_) {}
    Pages &operator=(Pages &&other) noexcept {
        std::swap(start_, other.start_);
        std::swap(bytes_, other.bytes_);
        std::swap(access_, other.access_);
        return *this;
    }
    ~Pages() {
        if (start_ != nullptr)
            munmap(start_, bytes_);
    }
    [[nodiscard]] std::byte *get() const { return start_; }
    /// Fresh pages, also in the place of those of others.
    void clear() { clear(start_, bytes_); }
    void clear(std::byte *from, size_t bytes) {
        mmap(from, bytes, access_, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }

private:
    std::byte *start_ = nullptr;
    size_t bytes_ = 0;
    int access_ = 0;
};

enum class Kind { mapped, unmapped, noncoherent };

/// State that a reset does not change, and with keep=NAME a close does not, either.
struct Machine {
    uint32_t harts;
    uint32_t vlen;
    uint32_t cache_block; // of either side's cache
    std::string isa;
    Pages memory; // as the harts see it; its addresses are the device addresses
    // Noncoherent only. Else there is one memory.
    Pages main;   // main memory, between the caches
    Pages shadow; // as the host sees it
    CacheLock device_cache_lock, host_cache_lock;
    size_t bytes;
    Bell bell;
    rvl_firmware_host *firmware = nullptr;

    // The block isn't taken from the description: that of a library of HAL 1.0 ends before it.
    Machine(const rvl_device_desc &description, uint32_t block, bool cached)
        : harts(description.harts), vlen(description.vlen), cache_block(block),
          isa(description.isa),
          memory(description.memory_bytes, PROT_READ | PROT_WRITE | PROT_EXEC), // for kernels
          bytes(description.memory_bytes) {
        if (!cached)
            return;
        main = Pages(bytes, PROT_READ | PROT_WRITE);
        shadow = Pages(bytes, PROT_READ | PROT_WRITE);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
    ~Machine() { stop(); }

    [[nodiscard]] bool start() {
        rvl_firmware_host_config config{
            .memory = memory.get(),
            .bytes = bytes,
            .harts = harts,
            .vlen = vlen,
            .isa = isa.c_str(),
            .user = this,
            .ring_host = [](void *user) { static_cast<Machine *>(user)->bell.ring(); },
            .log = nullptr,
            .cache_clean = nullptr,
            .cache_invalidate = nullptr,
            .cache_block = cache_block,
        };
        if (main.get() != nullptr) {
            config.cache_clean = [](void *user, uint64_t address, uint64_t count) {
                auto &own = *static_cast<Machine *>(user);
                own.cache().clean(address - own.base(), count);
            };
            config.cache_invalidate = [](void *user, uint64_t address, uint64_t count) {
                auto &own = *static_cast<Machine *>(user);
                own.cache().invalidate(address - own.base(), count);
            };
        }
        const ThreadDefaults defaults;
        firmware = rvl_firmware_host_start(&config);
        return firmware != nullptr;
    }
    void stop() {
        if (firmware != nullptr)
            rvl_firmware_host_stop(std::exchange(firmware, nullptr));
    }
    [[nodiscard]] uint64_t base() const { return reinterpret_cast<uintptr_t>(memory.get()); }
    [[nodiscard]] Cache cache() { // the harts'
        return {memory.get(), main.get(), device_cache_lock, cache_block};
    }
};

/// The machines that live on, by driver and name.
struct KeptMachines {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<Machine>> machines;
};
KeptMachines &kept() {
    static auto *const all = new KeptMachines; // their threads must not outlive it
    return *all;
}

struct LoopbackDevice {
    Reporter report;
    Kind kind;
    bool has_model_unit;
    std::shared_ptr<Machine> machine;

    [[nodiscard]] std::byte *at(uint64_t address) const {
        const Pages &seen = kind == Kind::noncoherent ? machine->main : machine->memory;
        return seen.get() + (address - machine->base());
    }
    [[nodiscard]] Cache host_cache() const {
        return {machine->shadow.get(), machine->main.get(), machine->host_cache_lock,
                machine->cache_block};
    }
};

LoopbackDevice &self(rvl_device *device) { return *reinterpret_cast<LoopbackDevice *>(device); }

uint32_t number(const Settings &settings, std::string_view key, uint32_t fallback) {
    return static_cast<uint32_t>(parse_number(settings.get(key)).value_or(fallback));
}

uint32_t cache_block(const Settings &settings) {
    return number(settings, "cache-block", RVL_CACHE_BLOCK);
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
    rvl_device_desc device{};
    device.flags = RVL_DEVICE_BUILT_IN_FIRMWARE;
    if (!settings.get("keep").empty())
        device.flags |= RVL_DEVICE_RUNNING;
    else
        device.flags |= RVL_DEVICE_FRESH_MEMORY;
    if constexpr (kind != Kind::unmapped)
        device.flags |= RVL_DEVICE_MAPS;
    if constexpr (kind != Kind::noncoherent)
        device.flags |= RVL_DEVICE_COHERENT;
    if constexpr (kind == Kind::mapped)
        device.flags |= RVL_DEVICE_ATOMICS | RVL_DEVICE_IMPORTS;
    constexpr const char *names[] = {"loopback", "loopback-unmapped", "loopback-noncoherent"};
    std::strcpy(device.name, names[static_cast<int>(kind)]);
    std::strcpy(device.board, "loopback");
    host_isa().copy(device.isa, sizeof device.isa - 1);
    device.harts = number(settings, "harts", default_harts());
    if (device.harts > RVL_FIRMWARE_HOST_MAX_HARTS)
        return Reporter(host).fail(RVL_INVALID,
                                   {device.name, " has ", device.harts, " harts; 1 to ",
                                    uint32_t{RVL_FIRMWARE_HOST_MAX_HARTS}, " are possible"});
    device.xlen = 64;
    device.vlen = number(settings, "vlen", host_vlen());
    if (host_vlen() != 0 && device.vlen != host_vlen())
        return Reporter(host).fail(RVL_INVALID, {device.name, " with vlen=", device.vlen,
                                                 ": vectors of this host have ", host_vlen(),
                                                 " bits; leave vlen away"});
    device.cache_block = cache_block(settings);
    if (!std::has_single_bit(device.cache_block) || device.cache_block < least_cache_block ||
        device.cache_block > most_cache_block)
        return Reporter(host).fail(RVL_INVALID, {device.name, " has no caches with blocks of ",
                                                 device.cache_block,
                                                 " bytes: cache-block is 32, 64, 128 or 256"});
    device.memory_bytes = parse_number(settings.get("memory")).value_or(default_memory);
    const uint64_t least = RVL_FIRMWARE_HOST_LEAST_BYTES(device.harts);
    if (device.memory_bytes < least || device.memory_bytes % RVL_PAGE_BYTES != 0)
        return Reporter(host).fail(RVL_INVALID,
                                   {device.name, " with ", device.harts, " harts needs at least ",
                                    bytes_text(least), " of memory, in whole pages, and was given ",
                                    bytes_text(device.memory_bytes),
                                    "; set it with RIVULET_MACHINE=\"loopback,memory=256M\""});
    rvl_put_description(devices, 0, &device);
    return RVL_OK;
}

rvl_status no_threads(const LoopbackDevice &device) {
    return device.report.fail(RVL_NO_MEMORY,
                              {"cannot start the firmware's ", device.machine->harts, " threads"});
}

template <Kind kind>
std::shared_ptr<Machine> make_machine(const Reporter &report, const rvl_device_desc &description,
                                      uint32_t block) {
    constexpr bool cached = kind == Kind::noncoherent;
    auto machine = std::make_shared<Machine>(description, block, cached);
    if (machine->memory.get() != nullptr && (!cached || machine->shadow.get() != nullptr))
        return machine;
    report.fail(RVL_NO_MEMORY, {"cannot map ", bytes_text(description.memory_bytes),
                                " of executable memory: ", errno_text(errno),
                                "; give the machine less, with memory=64M say"});
    return nullptr;
}

template <Kind kind>
rvl_status open(const rvl_config *config, const rvl_device_desc *description, const rvl_host *host,
                rvl_device **opened) {
    const Settings settings(config);
    auto device = std::make_unique<LoopbackDevice>(Reporter(host), kind, false, nullptr);
    if (const auto known = settings.check("loopback", {"vlen", "keep", "cache-block", "unit"});
        !known)
        return device->report.fail(known.error());
    const auto model = wants_model_unit(settings);
    if (!model)
        return device->report.fail(model.error());
    device->has_model_unit = *model;
    const uint32_t block = cache_block(settings); // `enumerate` has looked at it
    if (const auto name = settings.get("keep"); !name.empty()) {
        const std::scoped_lock lock(kept().mutex);
        auto &machine = kept().machines[text({description->name, "/", name})];
        if (!machine) {
            auto made = make_machine<kind>(device->report, *description, block);
            if (!made)
                return RVL_NO_MEMORY;
            device->machine = made;
            if (!made->start())
                return no_threads(*device);
            machine = std::move(made);
        }
        device->machine = machine;
    } else {
        device->machine = make_machine<kind>(device->report, *description, block);
        if (!device->machine)
            return RVL_NO_MEMORY;
    }
    *opened = reinterpret_cast<rvl_device *>(device.release());
    return RVL_OK;
}

rvl_status describe(rvl_device *device, rvl_device_desc *description) {
    description->memory_base = description->mailbox = self(device).machine->base();
    return RVL_OK;
}

void close(rvl_device *device) {
    self(device).machine->bell.ring();
    delete &self(device);
}

rvl_status load(rvl_device *, const void *, size_t) { return RVL_UNSUPPORTED; }

rvl_status start(rvl_device *handle) {
    return self(handle).machine->start() ? RVL_OK : no_threads(self(handle));
}

rvl_status reset(rvl_device *handle) {
    auto &device = self(handle);
    device.machine->stop();
    device.machine->memory.clear();
    if (device.kind == Kind::noncoherent) {
        device.machine->main.clear();
        device.machine->shadow.clear();
    }
    return RVL_OK;
}

template <Kind kind> rvl_status map(rvl_device *handle, uint64_t address, size_t, void **host) {
    const auto &machine = *self(handle).machine;
    const Pages &seen = kind == Kind::noncoherent ? machine.shadow : machine.memory;
    *host = seen.get() + (address - machine.base());
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
        device.host_cache().invalidate(address - device.machine->base(), bytes);
    return RVL_OK;
}

rvl_status sync(rvl_device *handle, uint64_t address, size_t bytes, rvl_sync_direction direction) {
    const auto &device = self(handle);
    if (device.kind != Kind::noncoherent)
        return RVL_OK;
    if ((direction & RVL_SYNC_TO_DEVICE) != 0)
        device.host_cache().clean(address - device.machine->base(), bytes);
    if ((direction & RVL_SYNC_FROM_DEVICE) != 0)
        device.host_cache().invalidate(address - device.machine->base(), bytes);
    return RVL_OK;
}

rvl_status ring(rvl_device *device, uint64_t hart_mask) {
    if (auto *const firmware = self(device).machine->firmware; firmware != nullptr)
        rvl_firmware_host_ring(firmware, hart_mask);
    return RVL_OK;
}

rvl_status wait(rvl_device *device, uint64_t timeout_ns) {
    return self(device).machine->bell.wait(timeout_ns) ? RVL_OK : RVL_TIMEOUT;
}

rvl_status wake(rvl_device *device) {
    self(device).machine->bell.ring();
    return RVL_OK;
}

// The harts are threads: they reach whatever this process can map.
rvl_status import_memory(rvl_device *handle, uint64_t address, uint64_t bytes, int descriptor) {
    const auto &device = self(handle);
    if (mmap(device.at(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
             0) != MAP_FAILED)
        return RVL_OK;
    const int error = errno;
    device.machine->memory.clear(device.at(address), bytes); // the kernel may have unmapped them
    return device.report.fail(RVL_UNSUPPORTED,
                              {"the dma-buf can't be mapped: ", errno_text(error)});
}

rvl_status end_import(rvl_device *handle, uint64_t address, uint64_t bytes) {
    self(handle).machine->memory.clear(self(handle).at(address), bytes);
    return RVL_OK;
}

const rvl_built_in_kernel *const *built_in_kernels(rvl_device *device) {
    return self(device).has_model_unit ? model_unit_kernels() : nullptr;
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
        .copy_begin = nullptr,
        .copy_wait = nullptr,
        .suspend = nullptr,
        .resume = nullptr,
        .export_memory = nullptr,
        .export_ended = nullptr,
        .import_memory = kind == Kind::mapped ? guarded<import_memory> : nullptr,
        .end_import = kind == Kind::mapped ? end_import : nullptr,
        .memory_file = nullptr,
        .built_in_kernels = built_in_kernels,
        .conditions = nullptr,
        .set_clock = nullptr,
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
