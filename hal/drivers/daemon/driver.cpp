// SPDX-License-Identifier: Apache-2.0
//
// The daemon driver: a device of rivuletd, which other processes use at the same time. To the
// common code it is a device whose firmware runs already; the daemon plays the firmware's part.
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>

#include "hal/core/config.h"
#include "hal/drivers/daemon/connection.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::daemon {
namespace {

/// Memory of this process, unmapped at the end.
class Mapping {
public:
    Mapping() = default;
    Mapping(void *start, size_t bytes)
        : start_(start == MAP_FAILED ? nullptr : static_cast<std::byte *>(start)), bytes_(bytes) {}
    Mapping(Mapping &&other) noexcept
        : start_(std::exchange(other.start_, nullptr)), bytes_(other.bytes_) {}
    Mapping &operator=(Mapping &&other) noexcept {
        std::swap(start_, other.start_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Mapping() {
        if (start_ != nullptr)
            munmap(start_, bytes_);
    }
    [[nodiscard]] std::byte *get() const { return start_; }

private:
    std::byte *start_ = nullptr;
    size_t bytes_ = 0;
};

struct Client {
    Reporter report;
    std::string socket;
    uint32_t number = 0; // of the device
    uint64_t base = 0;   // of the device's memory
    uint64_t bytes = 0;
    bool maps = false;

    std::mutex asking; // one request at a time
    Connection connection;
    Mapping area;
    Mapping window; // all of the device's memory: area, heap, and otherwise no access
    FileDescriptor memory;
    uint64_t memory_offset = 0;
    FileDescriptor bell;
    FileDescriptor wake;
    std::atomic<uint32_t> mapped = 0; // number of the grant whose heap is in the window
    std::atomic<bool> dead = false;

    explicit Client(const rvl_host *host) : report(host) {}
    [[nodiscard]] Grant &grant() const {
        return *reinterpret_cast<Grant *>(area.get() + area::grant);
    }
};

Client &self(rvl_device *device) { return *reinterpret_cast<Client *>(device); }

std::string socket_of(const rvl_config *config) {
    return Settings(config).get("socket", default_socket);
}

rvl_status enumerate(const rvl_config *config, const rvl_host *host, rvl_device_desc *devices,
                     size_t capacity, size_t *count) {
    const Reporter report(host);
    const auto connection = Connection::to(socket_of(config));
    if (!connection)
        return report.fail(connection.error());
    const auto found = connection->list();
    if (!found)
        return report.fail(found.error());
    *count = found->size();
    for (size_t i = 0; i < std::min(capacity, found->size()); ++i) {
        rvl_device_desc device = (*found)[i];
        device.reserved = static_cast<uint32_t>(i); // tells `open` which one it is
        rvl_put_description(devices, i, &device);
    }
    return RVL_OK;
}

Result<> refused(const char *what) {
    return fail(errno == ENOMEM ? RVL_NO_MEMORY : RVL_IO,
                {"a device of rivuletd can't be used: ", what, ": ", errno_text(errno)});
}

/// Reserves addresses for the device's memory, at the device's own if they are free, so that
/// pointers are the same on both sides.
Result<Mapping> reserve(uint64_t base, uint64_t bytes) {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *const wanted = reinterpret_cast<void *>(base);
    void *at = mmap(wanted, bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != MAP_FAILED && at != wanted) { // a kernel that ignores the flag
        munmap(at, bytes);
        at = MAP_FAILED;
    }
    if (at == MAP_FAILED)
        at = mmap(nullptr, bytes, PROT_NONE, flags, -1, 0);
    if (at == MAP_FAILED)
        return std::unexpected(refused("mmap").error());
    return Mapping(at, bytes);
}

/// Opens the device in the daemon, for the first time or again.
Result<> connect(Client &client) {
    auto connection = Connection::to(client.socket);
    if (!connection)
        return std::unexpected(connection.error());
    auto answer = connection->ask(Request::open, client.number);
    if (!answer)
        return std::unexpected(answer.error());
    rvl_device_desc description{};
    std::memcpy(&description, answer->content.data(),
                std::min(answer->content.size(), sizeof description));
    auto &descriptors = answer->descriptors;
    const bool maps = (description.flags & RVL_DEVICE_MAPS) != 0;
    if (descriptors.size() != (maps ? 3 : 2) || description.memory_base != client.base ||
        description.memory_bytes != client.bytes || maps != client.maps)
        return fail(RVL_INVALID,
                    {"rivuletd at ", client.socket, " now has another device; open devices again"});
    struct stat status{};
    if (fstat(descriptors[0].get(), &status) != 0 ||
        static_cast<uint64_t>(status.st_size) < area::bytes)
        return refused("its area");
    constexpr int access = PROT_READ | PROT_WRITE;
    Mapping area(mmap(nullptr, area::bytes, access, MAP_SHARED, descriptors[0].get(), 0),
                 area::bytes);
    if (area.get() == nullptr)
        return refused("mmap");
    if (maps) {
        std::byte *const start = client.window.get();
        if (mmap(start, client.bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED ||
            mmap(start, area::seen, access, MAP_SHARED | MAP_FIXED, descriptors[0].get(), 0) ==
                MAP_FAILED)
            return refused("mmap");
        client.memory = std::move(descriptors[2]);
        client.memory_offset = answer->reply.memory_offset;
    }
    // In the old one's place, which `ring` may be using.
    if (!client.bell)
        client.bell = std::move(descriptors[1]);
    else if (dup3(descriptors[1].get(), client.bell.get(), O_CLOEXEC) < 0)
        return refused("dup3");
    client.area = std::move(area);
    client.connection = std::move(*connection);
    client.mapped = 0;
    client.dead = false;
    return {};
}

rvl_status open(const rvl_config *config, const rvl_device_desc *description, const rvl_host *host,
                rvl_device **opened) {
    auto client = std::make_unique<Client>(host);
    if (const auto known = Settings(config).check("daemon", {"socket"}); !known)
        return client->report.fail(known.error());
    client->socket = socket_of(config);
    client->number = description->reserved;
    client->base = description->memory_base;
    client->bytes = description->memory_bytes;
    client->maps = (description->flags & RVL_DEVICE_MAPS) != 0;
    client->wake = FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!client->wake)
        return client->report.fail(refused("eventfd").error());
    if (client->maps) {
        auto window = reserve(client->base, client->bytes);
        if (!window)
            return client->report.fail(window.error());
        client->window = std::move(*window);
    }
    if (const auto connected = connect(*client); !connected)
        return client->report.fail(connected.error());
    *opened = reinterpret_cast<rvl_device *>(client.release());
    return RVL_OK;
}

void close(rvl_device *device) { delete &self(device); }

// After the daemon has ended, this may find its successor.
rvl_status reset(rvl_device *handle) {
    auto &client = self(handle);
    const std::scoped_lock lock(client.asking);
    if (!client.dead) {
        const auto done = client.connection.ask(Request::reset, client.number);
        if (done)
            return RVL_OK;
        if (done.error().status != RVL_DEAD)
            return client.report.fail(done.error());
    }
    const auto connected = connect(client);
    return connected ? RVL_OK : client.report.fail(connected.error());
}

rvl_status map(rvl_device *handle, uint64_t address, size_t, void **host) {
    *host = self(handle).window.get() + (address - self(handle).base);
    return RVL_OK;
}

/// Copies to or from the mailbox; its words are written by the other side at any time.
void copy_words(std::byte *to, const std::byte *from, size_t bytes) {
    const auto aligned = [&] {
        return (reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) %
                   sizeof(uint32_t) ==
               0;
    };
    if (bytes == sizeof(uint32_t) && aligned()) {
        const auto value = __atomic_load_n(reinterpret_cast<const uint32_t *>(from),
                                           __ATOMIC_ACQUIRE); // order: host.load
        __atomic_store_n(reinterpret_cast<uint32_t *>(to), value,
                         __ATOMIC_RELEASE); // order: host.store
    } else {
        std::memcpy(to, from, bytes);
    }
}

rvl_status transfer(Client &client, Request request, uint64_t address, std::byte *data,
                    size_t bytes) {
    const std::scoped_lock lock(client.asking);
    std::byte *const buffer = client.area.get() + area::transfers;
    while (bytes != 0) {
        const size_t part = std::min<size_t>(bytes, area::transfer_bytes);
        if (request == Request::write)
            std::memcpy(buffer, data, part);
        if (const auto done = client.connection.ask(request, client.number, address, part); !done) {
            if (done.error().status == RVL_DEAD)
                return RVL_DEAD;
            return client.report.fail(done.error());
        }
        if (request == Request::read)
            std::memcpy(data, buffer, part);
        data += part;
        address += part;
        bytes -= part;
    }
    return RVL_OK;
}

/// Whether an access is to the mailbox and what is behind it, which never needs the daemon.
bool in_area(const Client &client, uint64_t address, size_t bytes) {
    return address - client.base < area::seen && bytes <= area::seen - (address - client.base);
}

rvl_status read(rvl_device *handle, uint64_t address, void *to, size_t bytes) {
    auto &client = self(handle);
    if (!in_area(client, address, bytes))
        return transfer(client, Request::read, address, static_cast<std::byte *>(to), bytes);
    if (client.dead)
        return RVL_DEAD;
    copy_words(static_cast<std::byte *>(to), client.area.get() + (address - client.base), bytes);
    return RVL_OK;
}

rvl_status write(rvl_device *handle, uint64_t address, const void *from, size_t bytes) {
    auto &client = self(handle);
    auto *const data = static_cast<std::byte *>(const_cast<void *>(from));
    if (!in_area(client, address, bytes))
        return transfer(client, Request::write, address, data, bytes);
    copy_words(client.area.get() + (address - client.base), data, bytes);
    return RVL_OK;
}

rvl_status sync(rvl_device *, uint64_t, size_t, rvl_sync_direction) { return RVL_OK; }

void ring_daemon(const Client &client) {
    constexpr char byte = 0; // a full socket has rings that the daemon has yet to see
    static_cast<void>(send(client.bell.get(), &byte, sizeof byte, MSG_DONTWAIT | MSG_NOSIGNAL));
}

rvl_status ring(rvl_device *handle, uint64_t) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ring_daemon(self(handle));
    return RVL_OK;
}

/// Puts the heap that the daemon has granted in the window.
bool take_grant(Client &client) {
    const Grant &grant = client.grant();
    const uint32_t granted = __atomic_load_n(&grant.granted.value, __ATOMIC_ACQUIRE);
    if (granted == client.mapped)
        return true;
    const uint64_t base = grant.base, bytes = grant.bytes;
    if (base < client.base + area::seen || bytes > client.bytes ||
        base - client.base > client.bytes - bytes)
        return false;
    if (client.maps &&
        mmap(client.window.get() + (base - client.base), bytes, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, client.memory.get(),
             static_cast<off_t>(client.memory_offset + (base - client.base))) == MAP_FAILED)
        return false;
    client.mapped = granted;
    __atomic_store_n(&client.grant().mapped.value, granted, __ATOMIC_RELEASE);
    ring_daemon(client);
    return true;
}

rvl_status wait(rvl_device *handle, uint64_t timeout_ns) {
    auto &client = self(handle);
    if (client.dead)
        return RVL_DEAD;
    if (!take_grant(client))
        return client.report.fail(RVL_NO_MEMORY, "the heap that rivuletd granted can't be mapped");
    pollfd events[] = {{client.bell.get(), POLLIN, 0}, {client.wake.get(), POLLIN, 0}};
    constexpr uint64_t ns_per_s = 1'000'000'000;
    constexpr uint64_t longest_s = 1u << 30;
    const timespec timeout{.tv_sec =
                               static_cast<time_t>(std::min(timeout_ns / ns_per_s, longest_s)),
                           .tv_nsec = static_cast<long>(timeout_ns % ns_per_s)};
    const int ready = ppoll(events, std::size(events), &timeout, nullptr);
    if (ready < 0)
        return errno == EINTR ? RVL_OK : RVL_IO;
    if (events[1].revents != 0) {
        uint64_t count = 0;
        static_cast<void>(!::read(client.wake.get(), &count, sizeof count));
    }
    if (events[0].revents != 0) {
        char bytes[256];
        const auto got = recv(client.bell.get(), bytes, sizeof bytes, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            client.dead = true;
            client.report.log(
                0, text({"rivuletd at ", client.socket, " has ended or closed the connection"}));
            return RVL_DEAD;
        }
    }
    if (!take_grant(client))
        return client.report.fail(RVL_NO_MEMORY, "the heap that rivuletd granted can't be mapped");
    return ready == 0 ? RVL_TIMEOUT : RVL_OK;
}

rvl_status wake(rvl_device *handle) {
    const uint64_t one = 1;
    static_cast<void>(!::write(self(handle).wake.get(), &one, sizeof one));
    return RVL_OK;
}

constexpr rvl_driver driver = {
    .hal_version = RVL_HAL_VERSION,
    .size = sizeof(rvl_driver),
    .name = "daemon",
    .enumerate = guarded<enumerate>,
    .open = guarded<open>,
    .close = close,
    .load = nullptr,
    .start = nullptr,
    .reset = guarded<reset>,
    .map = map,
    .read = guarded<read>,
    .write = guarded<write>,
    .sync = sync,
    .ring = ring,
    .wait = guarded<wait>,
    .wake = wake,
    .describe = nullptr,
    .copy_begin = nullptr,
    .copy_wait = nullptr,
    .suspend = nullptr,
    .resume = nullptr,
    .export_memory = nullptr,
    .export_ended = nullptr,
    .import_memory = nullptr,
    .end_import = nullptr,
    .memory_file = nullptr,
    .built_in_kernels = nullptr,
    .conditions = nullptr,
    .set_clock = nullptr,
};

} // namespace
} // namespace rivulet::hal::daemon

const rvl_driver *rvl_driver_named(const char *name) {
    const rvl_driver &driver = rivulet::hal::daemon::driver;
    return std::strcmp(driver.name, name) == 0 ? &driver : nullptr;
}
