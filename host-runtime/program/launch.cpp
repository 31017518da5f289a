// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/launch.h"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/environment.h"
#include "base/error.h"
#include "hal/protocol/fault.h"
#include "host-runtime/context/records.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"
#include "host-runtime/object/recycled.h"
#include "host-runtime/program/bad_access.h"
#include "host-runtime/program/kernel_versions.h"
#include "host-runtime/program/printf.h"

namespace rivulet {
namespace {

/// The time limit in launch commands: in ms, 0 for none.
uint32_t time_limit_ms() {
    static const uint32_t limit =
        static_cast<uint32_t>(environment_number(Variable::time_limit).value_or(0) * 1000);
    return limit;
}

std::string formatted(const char *format, auto... values) {
    char line[256];
    std::snprintf(line, sizeof line, format, values...);
    return line;
}

const char *cause_of(const rvl_fault &fault) {
    static constexpr const char *causes[] = {
        "unknown",
        "jump outside of the kernel's code",
        "illegal instruction",
        "load outside of the context's memory",
        "store outside of the context's memory",
        "stack overflow",
        "misaligned atomic access",
        "time limit",
        "other trap",
        "the unit reports an error",
    };
    return causes[fault.kind < std::size(causes) ? fault.kind : 0];
}

constexpr uint32_t printf_flags = RVL_KERNEL_PRINTF | RVL_KERNEL_PRINTF_COMPACT;

class Launch final : public DeviceWork, public Recycled<Launch, recycled_commands> {
public:
    Launch(Queue &queue, KernelSnapshot &&kernel, const NDRange &range)
        : DeviceWork(queue.scheduler()), context_(queue.context_ref()),
          context_device_(queue.context_device()), kernel_(std::move(kernel)), range_(range),
          harts_(queue.device().launch_harts()), hart_count_(queue.device().hart_count()),
          lanes_(2 * lanes(queue.device())), priority_flags_(queue.priority_flags()),
          harts_flags_(queue.device().launch_flags()) {
        require_version_for_shared_memory();
        if (kernel_.note->flags & printf_flags)
            start(Worker::output);
    }
    ~Launch() override {
        if (record_)
            context_device_.records().release(record_);
        if (ring_) {
            ring_ = {}; // first, because a launch waiting for the last ring needs its memory
            --context_device_.records().printf_rings;
        }
    }

    [[nodiscard]] std::string_view name() const override { return kernel_.name; }
    size_t annotate(hal::trace::Annotation *annotations) const override {
        size_t count = 0;
        annotations[count++] = {"launch", number_, {}};
        if (!kernel_.image->file.empty())
            annotations[count++] = {"image", 0, kernel_.image->file};
        if (!kernel_.image->version.empty())
            annotations[count++] = {"version", 0, kernel_.image->version};
        return count;
    }
    size_t claim_memory() noexcept override;
    void fetch_memory() override;
    bool encode(rvl_slot &slot) override;
    cl_int ended(const rvl_completion &completion) override;
    [[nodiscard]] bool prints() const override { return printed_bytes_ != 0; }
    void print() override;

private:
    /// Of a Transfer.
    [[nodiscard]] bool is_the_librarys() const { return kernel_.name.empty(); }
    void require_version_for_shared_memory() const;
    [[nodiscard]] bool may_reach_large_buffers() const;
    [[nodiscard]] uint32_t chunk(uint32_t groups) const;
    [[nodiscard]] bool take_ring();
    void write_record(bool has_large_buffers);
    void report(const rvl_completion &completion);

    const Ref<Context> context_;
    const ContextDevice &context_device_;
    const KernelSnapshot kernel_;
    const NDRange range_;
    Block allocations_; // table of allocations for a sanitized kernel
    const uint64_t harts_;
    const cl_uint hart_count_;
    const size_t lanes_; // 32-bit lanes of the largest register groups
    const uint8_t priority_flags_, harts_flags_;
    RecordPool::Record record_;
    Lease lease_;        // on the memory named in the ring slot
    uint64_t words_ = 0; // address of the record's words
    Block ring_;         // printf output, if the kernel prints
    uint32_t number_ = 0;
    uint32_t printed_bytes_ = 0;
    uint32_t lost_prints_ = 0; // calls
};

void Launch::require_version_for_shared_memory() const {
    if (context_device_.large_shared_allocations != 0 && !kernel_.large_entry)
        fail(CL_MEM_OBJECT_ALLOCATION_FAILURE,
             "kernel %: the device has shared memory of more than % bytes in one allocation, and "
             "%",
             {kernel_.name, largest_small_buffer, no_large_version});
}

// Asked when the launch is encoded. While it waits, the application may allocate shared memory and
// store a pointer to it where the kernel finds it. A launch whose kernel has one version only, and
// which was accepted before such an allocation, keeps that version: it can't be refused any more.
bool Launch::may_reach_large_buffers() const {
    return kernel_.has_large_buffers ||
           (kernel_.large_entry && context_device_.large_shared_allocations != 0);
}

size_t Launch::claim_memory() noexcept {
    size_t missing = 0;
    for (const auto &[object, is_written] : kernel_.memory)
        missing = std::max(missing,
                           object->storage().claim(context_device_, object->range(), is_written));
    return missing;
}

void Launch::fetch_memory() {
    for (const auto &[object, is_written] : kernel_.memory)
        object->storage().fetch(context_device_, object->range(), is_written);
}

// Groups taken at a time: enough for low overhead, but few enough that all harts finish at about
// the same time and other launches get their turn. Flat kernels process whole rows of groups: their
// chunks at least fill the vector registers, and are longer if there is no other hart to share
// with.
uint32_t Launch::chunk(uint32_t groups) const {
    constexpr uint32_t most = 1 << 12;
    const uint32_t share = std::clamp<uint32_t>(groups / (hart_count_ * 8), 1, most);
    if (!(kernel_.note->flags & RVL_KERNEL_FLAT))
        return share;
    const auto rounded_up = [](size_t value, size_t unit) { return (value + unit - 1) / unit; };
    const size_t row = rounded_up(range_.global[0], range_.local[0]);
    const size_t items = range_.local[0] * range_.local[1] * range_.local[2];
    size_t least = std::min(row, rounded_up(lanes_, range_.local[0]));
    if (hart_count_ == 1)
        least = std::max(least, rounded_up(64 * lanes_, items));
    const size_t chunk = std::clamp<size_t>(share, least, most);
    return static_cast<uint32_t>(chunk > row ? chunk / row * row : chunk);
}

// Returns false if memory will be available when other printing launches have ended. If there are
// none, the launch runs without a ring, and its printf returns -1.
bool Launch::take_ring() {
    if (ring_ || !(kernel_.note->flags & printf_flags))
        return true;
    RecordPool &records = context_device_.records();
    for (const bool is_last : {false, true}) { // the last ring may be freed between two checks
        (void)guarded(
            [&] { ring_ = context_device_.arena().allocate(printf_bytes(), RVL_PAGE_BYTES); });
        if (ring_) {
            ++records.printf_rings;
            return true;
        }
        if (records.printf_rings)
            return false;
        if (is_last)
            (void)guarded([&] {
                context_->report(text({"kernel ", kernel_.name,
                                       ": the device has no memory for its printf, which "
                                       "returns -1"}));
            });
    }
    return true;
}

void Launch::write_record(bool has_large_buffers) {
    rvl_launch_record record;
    rvl_launch_words words;
    std::memset(&record, 0, offsetof(rvl_launch_record, arguments));
    record.version = RVL_PROTOCOL_VERSION;
    record.dimensions = range_.dimensions;
    record.start = kernel_.image->start;
    record.kernel = has_large_buffers ? kernel_.large_entry : kernel_.entry;
    record.total_groups = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
        record.global_size[axis] = range_.global[axis];
        record.global_offset[axis] = range_.offset[axis];
        record.local_size[axis] = static_cast<uint32_t>(range_.local[axis]);
        record.group_count[axis] = static_cast<uint32_t>(
            (range_.global[axis] + range_.local[axis] - 1) / range_.local[axis]);
        record.total_groups *= record.group_count[axis];
    }
    const auto items = static_cast<uint32_t>(range_.local[0] * range_.local[1] * range_.local[2]);
    if (kernel_.kernel->built_in) // the firmware counts one group, whatever the NDRange
        record.total_groups = 1;
    record.chunk = chunk(record.total_groups);
    record.local_bytes = kernel_.local_bytes;
    record.saved_bytes = kernel_.note->saved_bytes * items;
    record.stack_bytes = kernel_.note->stack_bytes;
    record.image_base = kernel_.image->base;
    record.printf_ring = ring_.address();
    record.printf_bytes = ring_ ? static_cast<uint32_t>(printf_bytes()) : 0;
    record.argument_bytes = static_cast<uint32_t>(kernel_.arguments.size());
    record.words = words_;
    record.data = kernel_.image->base + kernel_.image->code_bytes;
    record.data_bytes = kernel_.image->data_bytes;
    std::ranges::copy(kernel_.arguments, reinterpret_cast<std::byte *>(record.arguments));
    record.counters = static_cast<uint32_t>(kernel_.counters.size());
    for (size_t i = 0; i < kernel_.counters.size(); ++i) {
        record.counter_address[i] = kernel_.counters[i].address;
        record.counter_bytes[i] = kernel_.counters[i].bytes;
    }
    std::memset(&words, 0, sizeof words);

    DeviceInstance &instance = context_device_.instance();
    const auto bytes = std::as_bytes(std::span(&record, 1));
    if (record.counters) {
        constexpr size_t counters = offsetof(rvl_launch_record, counter_address);
        instance.write_launch({{record_.record + counters, bytes.subspan(counters)}});
    }
    instance.write_launch({{record_.record, bytes.first(offsetof(rvl_launch_record, arguments) +
                                                        kernel_.arguments.size())},
                           {words_, std::as_bytes(std::span(&words, 1))}});
    static std::array<std::byte, 16 * RVL_PAGE_BYTES>
        zeros{}; // not const, so that it is in .bss instead of the file
    for (size_t at = 0; at < ring_.bytes(); at += sizeof zeros)
        instance.write(ring_.address() + at, zeros);
}

// 6.12.13: output has been written when the command's event completes.
[[clang::minsize]] void Launch::print() {
    DeviceInstance &instance = context_device_.instance();
    std::vector<std::byte> records(std::min<size_t>(printed_bytes_, printf_bytes()));
    std::vector<std::byte> image(kernel_.image->code_bytes);
    instance.read(ring_.address(), records);
    instance.read(kernel_.image->base, image);
    const auto kind = kernel_.note->flags & RVL_KERNEL_PRINTF_COMPACT ? PrintfRecords::compact
                                                                      : PrintfRecords::old;
    print_records(records, kind, image, kernel_.image->base, stdout);
    std::fflush(stdout);
    // Kernels of images before 1.2 don't count lost records, and don't add to the sum of bytes once
    // the buffer is full: a full buffer may or may not have lost some.
    const bool counts = kernel_.note->flags & RVL_KERNEL_PRINTF_COUNTS;
    if (counts ? lost_prints_ != 0 : printed_bytes_ >= printf_bytes()) {
        const std::string number = counts && lost_prints_ < 1u << 31
                                       ? std::to_string(lost_prints_) + " "
                                   : counts ? "more than 2147483647 "
                                            : "";
        const bool one = counts && lost_prints_ == 1;
        const std::string message =
            text({"kernel ", kernel_.name, ": ", number, one ? "call" : "calls", " of printf ",
                  one                                         ? "is"
                  : counts || printed_bytes_ > printf_bytes() ? "are"
                                                              : "may be",
                  " lost: the output of a launch has room for ", printf_bytes() >> 20, " MiB, ",
                  more_printf(printf_bytes() >> 20)});
        log_fault(message);
        context_->tell(message);
    }
}

bool Launch::encode(rvl_slot &slot) {
    if (!record_)
        record_ = context_device_.records().acquire();
    if (!record_ || !take_ring())
        return false;
    number_ = slot.launch.launch;
    const bool has_large_buffers = may_reach_large_buffers();
    if (kernel_.note->flags & RVL_KERNEL_SANITIZED)
        allocations_ = write_bounds(kernel_, has_large_buffers, context_device_, record_.record);
    // Last, when the arena contains everything the launch needs.
    lease_ = Lease(context_device_.arena(), context_device_.shared_arena());
    words_ = record_.words_address(lease_);
    context_device_.records().prepare(lease_);
    write_record(has_large_buffers);
    const Range &arena = lease_.buffers;
    const Range &second = lease_.second_buffers;
    const Range &code = lease_.code;
    slot.header.group = RVL_GROUP_LAUNCH;
    slot.header.service = RVL_LAUNCH_NDRANGE;
    slot.header.length = sizeof(rvl_launch);
    slot.header.flags |= priority_flags_;
    slot.launch.record = record_.record;
    slot.launch.hart_mask = harts_;
    if (const hal::BuiltInKernel *built_in = kernel_.kernel->built_in) {
        slot.header.service = RVL_LAUNCH_UNIT;
        slot.launch.hart_mask = built_in->unit;
    } else {
        slot.header.flags |= harts_flags_;
    }
    slot.launch.arena_page = static_cast<uint32_t>(arena.begin / RVL_PAGE_BYTES);
    slot.launch.arena_pages = static_cast<uint32_t>(arena.bytes() / RVL_PAGE_BYTES);
    slot.launch.code_page = static_cast<uint32_t>(code.begin / RVL_PAGE_BYTES);
    slot.launch.code_pages = static_cast<uint32_t>(code.bytes() / RVL_PAGE_BYTES);
    slot.launch.time_limit = time_limit_ms();
    slot.launch.context = context_device_.number;
    slot.launch.second_page = static_cast<uint32_t>(second.begin / RVL_PAGE_BYTES);
    slot.launch.second_pages = static_cast<uint32_t>(second.bytes() / RVL_PAGE_BYTES);
    return true;
}

cl_int Launch::ended(const rvl_completion &completion) {
    lease_ = {};
    if (kernel_.version && completion.result == RVL_RESULT_OK)
        kernel_.versions->count(*kernel_.version, completion.end - completion.start);
    if (ring_)
        (void)guarded([&] {
            uint32_t words[2];
            static_assert(offsetof(rvl_launch_words, printf_lost) ==
                          offsetof(rvl_launch_words, printf_used) + sizeof words[0]);
            context_device_.instance().read(words_ + offsetof(rvl_launch_words, printf_used),
                                            std::as_writable_bytes(std::span(words)));
            printed_bytes_ = words[0];
            lost_prints_ = words[1];
        });
    const auto is_kept_elsewhere = [&](const MemoryArgument &memory) {
        return memory.is_written && memory.object->storage().writes_back(context_device_);
    };
    cl_int code = CL_SUCCESS;
    if (std::ranges::any_of(kernel_.memory, is_kept_elsewhere))
        code = guarded([&] {
            for (const auto &[object, is_written] : kernel_.memory)
                if (is_written)
                    object->storage().write_back(context_device_, object->range());
        });
    switch (completion.result) {
    case RVL_RESULT_OK:
        return code;
    case RVL_RESULT_SKIPPED:
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    default:
        (void)guarded([&] { report(completion); });
        return CL_OUT_OF_RESOURCES;
    }
}

[[clang::minsize]] void Launch::report(const rvl_completion &completion) {
    std::string message =
        is_the_librarys() ? "a fill or copy: " : "kernel " + std::string(kernel_.name) + ": ";
    if (completion.fault == RVL_FAULT_NONE) {
        message +=
            formatted("the device refused or stopped the launch (result %u)", completion.result);
        log_fault(message);
        return context_->tell(message);
    }
    const auto fault = context_device_.instance().fault(completion.fault, completion.launch);
    if (!fault) {
        message += "a fault, whose report was overwritten by later ones";
        log_fault(message);
        return context_->tell(message);
    }
    if (const std::string what = bad_access(*fault, kernel_, context_device_); !what.empty()) {
        message += what;
        log_fault(message);
        return context_->tell(message, std::as_bytes(std::span(&*fault, 1)));
    }
    message += cause_of(*fault);
    if (fault->kind != RVL_FAULT_TIME_LIMIT) // not caused by an address or instruction
        message += formatted(", value 0x%" PRIx64, fault->value);
    if (kernel_.kernel->built_in || is_the_librarys()) { // there is no code of the application's
        log_fault(message);
        return context_->tell(message, std::as_bytes(std::span(&*fault, 1)));
    }
    message += formatted(", work-groups %u to %u, hart %u, pc 0x%" PRIx64, fault->first_group,
                         fault->first_group + std::max(fault->groups, 1u) - 1, fault->hart,
                         fault->pc - fault->image_base);
    log_fault(message); // before the command's event ends, after which the program may be released
    // Asking the compiler for the source line takes time.
    run_callback(callback([context = context_, image = kernel_.image, fault = *fault,
                           message]() mutable {
        const std::string location = image->symbolize(fault.pc - fault.image_base);
        if (!location.empty()) {
            log_fault(text({message.substr(0, message.find(':')), ": the fault is at ", location}));
            message += ", " + location;
        }
        context->tell(message, std::as_bytes(std::span(&fault, 1)));
    }));
}

} // namespace

size_t max_group_size(const Device &device, const rvl_kernel_note &note, uint32_t local_bytes) {
    const uint64_t hart_memory_bytes = device.physical_device().hart_memory_bytes();
    // Guard page, stack and frame; the rest is for saved values and local memory.
    const uint64_t fixed = RVL_PAGE_BYTES + note.stack_bytes + sizeof(rvl_hart_frame) +
                           2 * RVL_CACHE_BLOCK +
                           (device.physical_device().local_memory_is_apart() ? 0 : local_bytes);
    if (fixed > hart_memory_bytes || local_bytes > device.physical_device().local_memory_bytes())
        return 0;
    size_t items = max_work_group_size;
    if (note.saved_bytes)
        items = std::min<size_t>(items, (hart_memory_bytes - fixed) / note.saved_bytes);
    return items;
}

std::array<size_t, 3> suggested_local_size(const Device &device, const KernelSnapshot &kernel,
                                           const NDRange &range) {
    const rvl_kernel_note &note = *kernel.note;
    if (note.required_group_size[0])
        return {note.required_group_size[0], note.required_group_size[1],
                note.required_group_size[2]};
    size_t left = std::min<size_t>(max_group_size(device, note, kernel.local_bytes), 256);
    // Enough groups for all harts, as long as the vector unit stays full.
    const size_t items = range.global[0] * range.global[1] * range.global[2];
    left = std::min(left, std::max(lanes(device), items / (size_t{4} * device.hart_count())));
    std::array<size_t, 3> local{1, 1, 1};
    for (size_t axis = 0; axis < range.dimensions && left > 1; ++axis) {
        size_t size = std::max<size_t>(1, std::min(left, range.global[axis]));
        // Only kernels of OpenCL C 2.0 and later support non-uniform work-groups.
        if (note.flags & RVL_KERNEL_UNIFORM)
            while (range.global[axis] % size)
                --size;
        local[axis] = size;
        left /= size;
    }
    return local;
}

void KernelSnapshot::take(std::shared_ptr<const LoadedKernelImage> loaded,
                          const ImageKernel &described) {
    image = std::move(loaded);
    kernel = &described;
    note = &described.note;
    name = described.name;
    entry = image->base + note->entry;
    large_entry = note->flags & RVL_KERNEL_LARGE_BUFFERS ? image->base + note->large_entry : 0;
}

std::unique_ptr<DeviceWork> launch_work(Queue &queue, KernelSnapshot &&kernel,
                                        const NDRange &range) {
    if (kernel.versions) // if that fails, the general version remains
        (void)guarded([&] { kernel.versions->choose(kernel, queue.device(), range); });
    return std::make_unique<Launch>(queue, std::move(kernel), range);
}

} // namespace rivulet
