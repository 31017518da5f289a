// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/file_size.h"

namespace rivulet::hal::qemu {

Result<GuestMemory> GuestMemory::create(uint64_t base, uint64_t bytes) {
    return create_within(base, bytes, base, bytes);
}

Result<GuestMemory> GuestMemory::create_within(uint64_t ram_base, uint64_t ram_bytes, uint64_t base,
                                               uint64_t window_bytes) {
    const uint64_t bytes = ram_bytes;
    const auto refused = [&](const char *what) {
        return fail(errno == EINVAL || errno == EFBIG || errno == ENOMEM ? RVL_NO_MEMORY : RVL_IO,
                    {"cannot have ", bytes_text(bytes), " of device memory: ", what, ": ",
                     errno_text(errno), "; give the machine less, with memory=512M say",
                     may_have_file_of(bytes) ? ""
                                             : ", or raise the limit of ulimit -f, which holds "
                                               "for memory that processes share, too"});
    };
    FileDescriptor file(memfd_create("rivulet-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file)
        return refused("memfd_create");
    if (!set_file_size(file.get(), bytes))
        return refused("ftruncate");
    // QEMU has the file too; if it were truncated, reading would raise SIGBUS.
    if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return refused("F_ADD_SEALS");
    return adopt(std::move(file), base, window_bytes, base - ram_base);
}

Result<GuestMemory> GuestMemory::adopt(FileDescriptor file, uint64_t base, uint64_t bytes,
                                       uint64_t offset) {
    // At the device's own address if that is free, so that pointers are the same on both sides.
    constexpr int access = PROT_READ | PROT_WRITE;
    void *wanted = reinterpret_cast<void *>(base);
    const auto at = static_cast<off_t>(offset);
    void *host = MAP_FAILED;
    if (base != 0) // a pointer to the device's first byte must not be null
        host = mmap(wanted, bytes, access, MAP_SHARED | MAP_FIXED_NOREPLACE, file.get(), at);
    if (host != MAP_FAILED && host != wanted) { // a kernel that ignores the flag
        munmap(host, bytes);
        host = MAP_FAILED;
    }
    if (host == MAP_FAILED)
        host = mmap(nullptr, bytes, access, MAP_SHARED, file.get(), at);
    if (host == MAP_FAILED)
        return fail(RVL_NO_MEMORY,
                    {"cannot map ", bytes_text(bytes), " of device memory: ", errno_text(errno),
                     "; give the machine less, with memory=512M say"});
    GuestMemory memory;
    memory.file_ = std::move(file);
    memory.offset_ = offset;
    memory.base_ = base;
    memory.bytes_ = bytes;
    memory.host_ = static_cast<std::byte *>(host);
    return memory;
}

GuestMemory::~GuestMemory() {
    if (host_ != nullptr)
        munmap(host_, bytes_);
}

bool GuestMemory::is_whole() const {
    struct stat status{};
    return fstat(file_.get(), &status) == 0 &&
           static_cast<uint64_t>(status.st_size) >= offset_ + bytes_;
}

void GuestMemory::clear() {
    if (fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(offset_), static_cast<off_t>(bytes_)) != 0)
        std::memset(host_, 0, bytes_);
}

Result<> GuestMemory::load(const FirmwareFile &firmware) {
    if (firmware.entry != base_)
        return fail(RVL_INVALID, {"the firmware starts at ", hex(firmware.entry),
                                  ", the machine at ", hex(base_)});
    for (const auto &segment : firmware.segments) {
        if (segment.address < base_ || segment.bytes > bytes_ ||
            segment.address - base_ > bytes_ - segment.bytes)
            return fail(RVL_INVALID,
                        {"the firmware's segment of ", bytes_text(segment.bytes), " at ",
                         hex(segment.address), " is outside the machine's memory"});
        std::memcpy(at(segment.address), segment.contents.data(), segment.contents.size());
        std::memset(at(segment.address) + segment.contents.size(), 0,
                    segment.bytes - segment.contents.size());
    }
    return {};
}

Result<FileDescriptor> make_payload(std::span<const std::byte> firmware) {
    FileDescriptor file(memfd_create("rivulet-firmware", MFD_CLOEXEC));
    for (size_t written = 0; file && written < firmware.size();) {
        const auto bytes =
            ::write(file.get(), firmware.data() + written, firmware.size() - written);
        if (bytes < 0 && errno != EINTR)
            file.reset();
        written += bytes < 0 ? 0 : static_cast<size_t>(bytes);
    }
    if (!file)
        return fail(RVL_IO,
                    {"cannot hand the firmware to QEMU in a file in memory: ", errno_text(errno)});
    return file;
}

} // namespace rivulet::hal::qemu
