// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/transfer.h"

#include <cstddef>
#include <cstring>

#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/program/debug_files.h"
#include "host-runtime/program/launch.h"
#include "host-runtime/program/transfer_code.h"

namespace rivulet {
namespace {

/// What a device does in less time than a round trip takes, measured with a vector unit and
/// estimated without one.
constexpr size_t most_with_vectors = 32 * 1024;
constexpr size_t most_without = 4 * 1024;

constexpr unsigned char rv64[] = {
#include "transfer/rv64.inc"
};
constexpr unsigned char rv32[] = {
#include "transfer/rv32.inc"
};
#if __has_include("transfer/host.inc")
constexpr unsigned char host[] = {
#include "transfer/host.inc"
};
#else
constexpr std::span<const unsigned char> host;
#endif

static_assert(sizeof rv64 <= RVL_PAGE_BYTES && sizeof rv32 <= RVL_PAGE_BYTES); // KernelImage::of

std::span<const std::byte> code_for(const Device &device) {
    if (device.isa() == "host")
        return std::as_bytes(std::span(host));
    return device.xlen() == 32 ? std::as_bytes(std::span(rv32)) : std::as_bytes(std::span(rv64));
}

/// Boards that require signatures run no code without one. A debugger would show the kernel.
bool may_have_code(const Queue &queue) {
    const uint32_t flags = queue.context_device().instance().hello().flags;
    return !(flags & RVL_HELLO_SIGNED_KERNELS) && !debug_files::wanted() &&
           !code_for(queue.device()).empty();
}

/// Not on this thread: loading waits for the device, which may be full of launches. Nor behind
/// builds, which would keep the context for as long as they take.
void load_later(const Queue &queue) {
    start(Worker::foreign);
    auto load = [context = queue.context_ref(), &device = queue.context_device(),
                 code = code_for(queue.device())] {
        (void)guarded([&] {
            LibraryCode &loaded = device.transfer_code;
            loaded.image = std::make_shared<const LoadedKernelImage>(
                KernelImage::of(code), device, std::span<const std::byte>(), std::string());
            loaded.state.store(LibraryCode::State::ready, std::memory_order_release);
        });
    };
    run_later(Worker::foreign, *new FunctionTask(std::move(load)));
}

/// The kernel on the context's device; null as long as it isn't there.
std::shared_ptr<const LoadedKernelImage> code_on(const Queue &queue) {
    using State = LibraryCode::State;
    LibraryCode &code = queue.context_device().transfer_code;
    State state = State::absent;
    if (code.state.compare_exchange_strong(state, State::awaited) && may_have_code(queue))
        (void)guarded([&] { load_later(queue); });
    return state == State::ready ? code.image : nullptr;
}

/// True if the rows of all slices have the same distance.
bool has_one_pitch(const Layout &layout, const Extent &extent) {
    return extent.slices == 1 || layout.slice_pitch == extent.rows * layout.row_pitch;
}

} // namespace

HostCommand Transfer::command(cl_command_type type, Place to, Place from,
                              std::span<const std::byte> pattern, const Extent &extent,
                              const SharedMemory *shared) {
    return {type,
            std::make_shared<Transfer>(std::move(to), std::move(from), pattern, extent, shared)};
}

void Transfer::run() {
    if (!to_.object)
        is_fill() ? shared_->fill(to_.address, pattern_, extent_.width)
                  : shared_->copy(to_.address, from_.address, extent_.width);
    else if (is_fill())
        fill_box(to_.object->storage(), to_.layout, extent_, pattern_);
    else
        copy_box(from_.object->storage(), from_.layout, to_.object->storage(), to_.layout, extent_);
}

// 0 for memory that is the host's alone.
uint64_t Transfer::address_of(const Place &place, const ContextDevice &device) const {
    if (place.object)
        return place.object->storage().address(device) + place.layout.offset;
    return shared_->find(place.address) ? reinterpret_cast<uintptr_t>(place.address) : 0;
}

std::unique_ptr<DeviceWork> Transfer::on_device(Queue &queue, bool is_behind_kernels) {
    const size_t bytes = extent_.bytes();
    const bool has_vectors = queue.device().vlen() != 0;
    const size_t most = has_vectors ? most_with_vectors : most_without;
    // A row takes 23 instructions besides its data, about the time of so many bytes.
    const size_t rows = extent_.rows * extent_.slices;
    const size_t cost = bytes + (rows - 1) * (has_vectors ? 256 : 64);
    // In contexts of several devices the memory may be elsewhere.
    if (bytes == 0 || cost > most || queue.context().context_devices().size() != 1 ||
        (!is_behind_kernels && !queue.has_kernels()))
        return nullptr;
    const auto code = code_on(queue);
    const ContextDevice &device = queue.context_device();
    rvl_transfer how{};
    how.to = code ? address_of(to_, device) : 0;
    how.from = code && !is_fill() ? address_of(from_, device) : 0;
    if (!how.to || (!how.from && !is_fill()) || !has_one_pitch(to_.layout, extent_) ||
        !has_one_pitch(from_.layout, extent_))
        return nullptr;
    how.to_pitch = to_.layout.row_pitch;
    how.from_pitch = from_.layout.row_pitch;
    // What is not aligned to words is moved byte by byte.
    const uint64_t places = how.to | how.from | (rows > 1 ? how.to_pitch | how.from_pitch : 0);
    if (!has_vectors && places % sizeof(uint64_t) != 0 && cost > most / 8)
        return nullptr;
    how.width = static_cast<uint32_t>(extent_.width);
    how.bytes = static_cast<uint32_t>(bytes);
    how.has_vectors = has_vectors;
    if (is_fill()) {
        if (extent_.width == bytes || how.to_pitch == extent_.width)
            how.to_pitch = how.width = RVL_TRANSFER_RUN; // of one row, as many as there are runs
        if (how.width > RVL_TRANSFER_RUN || RVL_TRANSFER_RUN % pattern_.size() != 0)
            return nullptr;
        for (size_t at = 0; at < RVL_TRANSFER_RUN; at += pattern_.size())
            std::memcpy(how.run + at, pattern_.data(), pattern_.size());
    }
    KernelSnapshot launch;
    launch.take(code, code->image().kernels().front());
    launch.large_entry = launch.entry;
    const auto arguments = std::as_bytes(std::span(&how, 1));
    launch.arguments.assign(arguments.begin(),
                            arguments.begin() +
                                (is_fill() ? sizeof how : offsetof(rvl_transfer, run)));
    for (const Place *place : {&to_, &from_})
        if (place->object)
            launch.memory.push_back({place->object, place == &to_});
    return launch_work(queue, std::move(launch), {});
}

} // namespace rivulet
