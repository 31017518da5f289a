// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/kernel.h"

#include <algorithm>
#include <cstring>

#include "hal/protocol/launch.h"
#include "host-runtime/device/features.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/memory/buffer.h"
#include "host-runtime/memory/image.h"
#include "host-runtime/memory/sampler.h"
#include "host-runtime/object/checked_size.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/program/kernel_versions.h"

namespace rivulet {
namespace {

constexpr uint64_t largest_alignment = 128; // of long16

// rvl_argument_note.image_type → accepted types.
constexpr cl_mem_object_type image_types[] = {
    0,
    CL_MEM_OBJECT_IMAGE1D,
    CL_MEM_OBJECT_IMAGE1D_BUFFER,
    CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY,
    CL_MEM_OBJECT_IMAGE3D,
    CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY,
};

constexpr size_t first_depth_type = 7;

constexpr cl_mem_flags never_written = CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT;

/// The offset of the next local argument when `used` bytes of local memory are taken.
CheckedSize local_offset(CheckedSize used, const ImageArgument &argument) {
    const uint64_t wanted = argument.note.pointee_alignment;
    const uint64_t alignment = wanted ? wanted : largest_alignment;
    return used.rounded_up(alignment);
}

template <class T> T value_at(const void *value) {
    T result;
    std::memcpy(&result, value, sizeof result);
    return result;
}

template <class T>
void put_value(std::vector<std::byte> &block, const ImageArgument &argument, T value) {
    std::memcpy(block.data() + argument.note.offset, &value, sizeof value);
}

/// Whether a launch may change an argument's memory object. Unchanged memory remains valid on all
/// devices that have it, so the assumptions here must hold: with CL_MEM_READ_ONLY or
/// CL_MEM_IMMUTABLE_EXT, writing the object in a kernel is undefined (5.2.1, 5.3.1); __constant
/// memory can't be written or converted to a writable pointer (6.7.3); read_only images have no
/// write functions (6.8). Counters are always written. RVL_ARGUMENT_UNWRITTEN says that the
/// compiler saw all uses of the pointer; const alone proves nothing, because it can be cast away
/// and buffers aren't const objects. Other arguments with the same bytes are judged separately.
bool may_write(const rvl_argument_note &note, const MemObject &memory) {
    switch (note.kind) {
    case RVL_ARGUMENT_COUNTER:
        return true;
    case RVL_ARGUMENT_CONSTANT:
        return false;
    case RVL_ARGUMENT_IMAGE:
        return note.access != RVL_ACCESS_READ_ONLY && !(memory.flags() & never_written);
    default:
        return !(note.flags & RVL_ARGUMENT_UNWRITTEN) && !(memory.flags() & never_written);
    }
}

uint32_t index_of(const ImageArgument &described, const KernelSnapshot &snapshot) {
    return static_cast<uint32_t>(&described - snapshot.kernel->arguments.data());
}

std::array<uint32_t, 3> format_of(const Image &image) {
    const ImageShape &shape = image.shape();
    return {shape.format.image_channel_order, shape.format.image_channel_data_type,
            static_cast<uint32_t>(shape.element_bytes)};
}

/// Bounds of a pointer into shared memory, or to one past the end of an allocation.
rvl_large_bounds bounds_of(const SharedMemory &memory, const void *pointer) {
    const auto *at = static_cast<const std::byte *>(pointer);
    auto allocation = memory.find(at);
    if (!allocation && at)
        allocation = memory.find(at - 1);
    if (!allocation)
        return {};
    return {static_cast<uint64_t>(at - allocation->pointer), allocation->bytes};
}

/// The same for an address of an addressed buffer on the device.
rvl_large_bounds bounds_of(const ContextDevice &context_device, uint64_t address) {
    auto buffer = find_addressed(context_device, address);
    if (!buffer && address)
        buffer = find_addressed(context_device, address - 1);
    if (!buffer)
        return {};
    return {address - buffer->argument(context_device), buffer->size()};
}

} // namespace

Kernel::Kernel(Ref<Program> program, std::string_view name)
    : Object(Kind::kernel), program_(std::move(program)) {
    const std::vector<DeviceProgram> built = program_->built();
    require_built(built);
    for (const DeviceProgram &state : built)
        if (const ImageKernel *kernel = state.loaded->image().kernel(name))
            variants_.push_back(
                {state.device, state.loaded, kernel,
                 KernelVersions::may_help(*kernel) ? state.loaded->versions() : nullptr});
    require(!variants_.empty(), CL_INVALID_KERNEL_NAME, "the program has no kernel %", name);
    // 5.6.1: a built-in kernel may be missing on some of the devices.
    require((variants_.size() == built.size() || program_->origin() == Program::Origin::built_in) &&
                std::ranges::all_of(variants_,
                                    [&](const Variant &variant) {
                                        return variant.kernel->has_definition_of(definition());
                                    }),
            CL_INVALID_KERNEL_DEFINITION,
            "kernel % has other arguments on one device than on another", name);
    arguments_.resize(definition().arguments.size());
    program_->attach_kernel();
}

Kernel::Kernel(const Kernel &other, Attachment)
    : Object(Kind::kernel), program_(other.program_), variants_(other.variants_), attached_(false) {
    const BriefLock lock(other.mutex_);
    arguments_ = other.arguments_;
    device_addresses_ = other.device_addresses_;
}

Kernel::Kernel(const Kernel &other) : Kernel(other, unattached) {
    program_->attach_kernel();
    attached_ = true;
}

// Detaches a kernel for which the application never got a handle.
Kernel::~Kernel() { detach(); }

void Kernel::detach() {
    if (attached_.exchange(false))
        program_->detach_kernel();
}

bool Kernel::has_argument_info() const {
    return variants_.front().loaded->image().has_argument_info();
}

const Kernel::Variant &Kernel::variant(const Device &device) const {
    for (const Device *at = &device; at; at = at->parent().get())
        for (const Variant &variant : variants_)
            if (variant.device.get() == at)
                return variant;
    fail(CL_INVALID_PROGRAM_EXECUTABLE, "kernel % is not built for this device", {name()});
}

const ImageArgument &Kernel::described(cl_uint index) const {
    require(index < definition().arguments.size(), CL_INVALID_ARG_INDEX,
            "argument index % is given, kernel % has % arguments, counted from 0", index,
            definition().name, definition().arguments.size());
    return definition().arguments[index];
}

void Kernel::about(cl_uint index, FunctionRef<void()> check) const {
    try {
        check();
    } catch (Failure &failure) {
        const ImageArgument &argument = definition().arguments[index];
        const bool named = !argument.name.empty();
        failure.text =
            text({"argument ", index, " of kernel ", name(), named ? " (" : "", argument.type,
                  named ? " " : "", argument.name, named ? "): " : ": ", failure.text});
        throw;
    }
}

void Kernel::store(cl_uint index, Argument argument) {
    argument.is_set = true;
    const BriefLock lock(mutex_);
    std::swap(arguments_[index], argument);
}

void Kernel::set_argument(cl_uint index, size_t size, const void *value) {
    const ImageArgument &argument = described(index);
    about(index, [&] { store(index, checked_argument(argument, size, value)); });
}

void Kernel::set_pointer(cl_uint index, const void *pointer) {
    const uint32_t kind = described(index).note.kind;
    about(index, [&] {
        require(kind == RVL_ARGUMENT_GLOBAL || kind == RVL_ARGUMENT_CONSTANT, CL_INVALID_ARG_VALUE,
                "it is not a pointer to global or constant memory");
    });
    Argument argument;
    argument.pointer = pointer;
    store(index, std::move(argument));
}

void Kernel::set_device_address(cl_uint index, uint64_t address) {
    const uint32_t kind = described(index).note.kind;
    about(index, [&] {
        require(kind == RVL_ARGUMENT_GLOBAL, CL_INVALID_ARG_INDEX,
                "it is not a pointer to global memory");
    });
    Argument argument;
    argument.device_address = address;
    store(index, std::move(argument));
}

void Kernel::set_device_addresses(std::span<const uint64_t> addresses) {
    std::vector<uint64_t> copy(addresses.begin(), addresses.end());
    const BriefLock lock(mutex_);
    device_addresses_.swap(copy);
}

Kernel::Argument Kernel::checked_argument(const ImageArgument &described, size_t size,
                                          const void *value) const {
    Argument argument;
    switch (described.note.kind) {
    case RVL_ARGUMENT_VALUE: {
        require(value, CL_INVALID_ARG_VALUE, "arg_value is NULL");
        require(size == described.note.bytes, CL_INVALID_ARG_SIZE,
                "arg_size is %, the argument has % bytes", size, described.note.bytes);
        const auto *bytes = static_cast<const std::byte *>(value);
        argument.value.assign(bytes, bytes + size);
        return argument;
    }
    case RVL_ARGUMENT_LOCAL:
        require(!value, CL_INVALID_ARG_VALUE, "arg_value is %, and must be NULL for local memory",
                address_of(value));
        require(size != 0 || opencl_version() >= CL_MAKE_VERSION(3, 1, 0), CL_INVALID_ARG_SIZE,
                "arg_size is 0: no local memory");
        argument.local_bytes = size;
        return argument;
    case RVL_ARGUMENT_SAMPLER:
        require(value, CL_INVALID_SAMPLER, "arg_value is NULL");
        require(size == sizeof(cl_sampler), CL_INVALID_ARG_SIZE,
                "arg_size is %, a cl_sampler has %", size, sizeof(cl_sampler));
        argument.sampler = value_at<cl_sampler>(value);
        (void)checked(argument.sampler, context());
        return argument;
    default:
        require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE, "arg_size is %, a cl_mem has % bytes",
                size, sizeof(cl_mem));
        return checked_memory(described, value);
    }
}

Kernel::Argument Kernel::checked_memory(const ImageArgument &described, const void *value) const {
    const rvl_argument_note &note = described.note;
    const bool may_be_null = note.kind == RVL_ARGUMENT_GLOBAL || note.kind == RVL_ARGUMENT_CONSTANT;
    require(value || may_be_null, CL_INVALID_MEM_OBJECT, "arg_value is NULL");
    Argument argument;
    argument.memory = value ? value_at<cl_mem>(value) : nullptr;
    if (!argument.memory && may_be_null)
        return argument;
    const Ref<MemObject> memory = checked(argument.memory, context());
    switch (note.kind) {
    case RVL_ARGUMENT_IMAGE:
        require(memory->type() == image_types[note.image_type], CL_INVALID_MEM_OBJECT,
                "the memory object has type %, the argument needs %", Hex{memory->type()},
                Hex{image_types[note.image_type]});
        require((static_cast<const Image &>(*memory).shape().format.image_channel_order ==
                 CL_DEPTH) == (note.image_type >= first_depth_type),
                CL_INVALID_MEM_OBJECT,
                "depth images go with image2d_depth_t and image2d_array_depth_t, others do not");
        require(!(note.access & RVL_ACCESS_READ_ONLY && memory->flags() & CL_MEM_WRITE_ONLY) &&
                    !(note.access & RVL_ACCESS_WRITE_ONLY && memory->flags() & never_written),
                CL_INVALID_ARG_VALUE,
                "the image's flags, %, forbid what the argument's access qualifier allows",
                Hex{memory->flags()});
        break;
    case RVL_ARGUMENT_PIPE:
        require(memory->type() == CL_MEM_OBJECT_PIPE, CL_INVALID_MEM_OBJECT,
                "pipes are not supported");
        break;
    case RVL_ARGUMENT_COUNTER:
        require(memory->is_buffer(), CL_INVALID_MEM_OBJECT,
                "the memory object is an image, the argument needs a buffer");
        require(memory->size() >= note.bytes, CL_INVALID_ARG_VALUE,
                "the buffer has % bytes, the counter %", memory->size(), note.bytes);
        break;
    case RVL_ARGUMENT_GLOBAL:
        require(!memory->is_buffer() || !(memory->flags() & CL_MEM_IMMUTABLE_EXT) ||
                    note.qualifiers & RVL_QUALIFIER_CONST || note.flags & RVL_ARGUMENT_UNWRITTEN,
                CL_INVALID_ARG_VALUE,
                "the buffer was created with CL_MEM_IMMUTABLE_EXT, and the argument is not const");
        [[fallthrough]];
    default:
        require(memory->is_buffer(), CL_INVALID_MEM_OBJECT,
                "the memory object is an image, the argument needs a buffer");
    }
    return argument;
}

uint64_t Kernel::local_bytes(const Device &device) const {
    const ImageKernel &kernel = *variant(device).kernel;
    const BriefLock lock(mutex_);
    CheckedSize used = kernel.note.local_bytes;
    for (size_t i = 0; i < arguments_.size(); ++i)
        if (arguments_[i].local_bytes != 0)
            used = local_offset(used, kernel.arguments[i]) + arguments_[i].local_bytes;
    return used.saturated();
}

bool Kernel::has_all_arguments() const {
    const BriefLock lock(mutex_);
    return std::ranges::all_of(arguments_, &Argument::is_set);
}

void Kernel::retain_arguments() {
    std::vector<Ref<Object>> objects;
    const BriefLock lock(mutex_);
    for (const Argument &argument : arguments_) {
        if (argument.memory)
            if (Ref<MemObject> memory = find(argument.memory))
                objects.emplace_back(std::move(memory));
        if (argument.sampler)
            if (Ref<Sampler> sampler = find(argument.sampler))
                objects.emplace_back(std::move(sampler));
    }
    retained_.swap(objects);
}

KernelSnapshot Kernel::snapshot_without_arguments(const Device &device) const {
    const Variant &variant = this->variant(device);
    const rvl_kernel_note &note = variant.kernel->note;
    require(note.argument_bytes <= RVL_MAX_ARGUMENT_BYTES, CL_OUT_OF_RESOURCES,
            "the arguments of kernel % have % bytes, the most is %", variant.kernel->name,
            note.argument_bytes, RVL_MAX_ARGUMENT_BYTES);
    KernelSnapshot snapshot;
    snapshot.take(variant.loaded, *variant.kernel);
    snapshot.versions = variant.versions;
    snapshot.local_bytes = note.local_bytes;
    snapshot.arguments.resize(note.argument_bytes);
    return snapshot;
}

KernelSnapshot Kernel::snapshot(const Device &device) const {
    const Variant &variant = this->variant(device);
    const rvl_kernel_note &note = variant.kernel->note;
    const ContextDevice &context_device = context().context_device(device);
    KernelSnapshot snapshot = snapshot_without_arguments(device);
    const BriefLock lock(mutex_);
    for (size_t i = 0; i < arguments_.size(); ++i) {
        const ImageArgument &described = variant.kernel->arguments[i];
        about(static_cast<cl_uint>(i), [&] {
            // Another device of the context may support it.
            require(!arguments_[i].pointer || svm_capabilities(device) != 0, CL_INVALID_OPERATION,
                    "it points to shared virtual memory, which this device does not support");
            put(described, arguments_[i], context_device, snapshot);
        });
        if (note.flags & RVL_KERNEL_SANITIZED && described.is_pointer())
            add_bounds(static_cast<uint32_t>(i), described, arguments_[i], context_device,
                       snapshot);
    }
    for (const uint64_t address : device_addresses_) // others are of other devices
        if (Ref<Buffer> buffer = find_addressed(context_device, address)) {
            const bool is_written = !(buffer->flags() & never_written);
            snapshot.memory.push_back({std::move(buffer), is_written});
        }
    return snapshot;
}

void Kernel::add_bounds(uint32_t index, const ImageArgument &described, const Argument &argument,
                        const ContextDevice &context_device, KernelSnapshot &snapshot) const {
    PointerArgument pointer{.index = index,
                            .is_local = described.note.kind == RVL_ARGUMENT_LOCAL,
                            .address = 0,
                            .bounds = {}};
    if (pointer.is_local) {
        pointer.bounds.bytes = argument.local_bytes;
    } else {
        std::memcpy(&pointer.address, snapshot.arguments.data() + described.note.offset,
                    sizeof pointer.address);
        if (argument.memory)
            pointer.bounds = {0, snapshot.memory.back().object->size()};
        else if (argument.device_address)
            pointer.bounds = bounds_of(context_device, *argument.device_address);
        else
            pointer.bounds = bounds_of(context().shared_memory(), argument.pointer);
    }
    snapshot.pointers.push_back(pointer);
}

/// One argument in the layout of hal/protocol/launch.h.
void Kernel::put(const ImageArgument &described, const Argument &argument,
                 const ContextDevice &context_device, KernelSnapshot &snapshot) const {
    require(argument.is_set, CL_INVALID_KERNEL_ARGS, "it has not been set");
    std::vector<std::byte> &block = snapshot.arguments;
    if (!argument.value.empty()) {
        std::ranges::copy(argument.value, block.begin() + described.note.offset);
    } else if (described.note.kind == RVL_ARGUMENT_LOCAL) {
        const CheckedSize offset = local_offset(snapshot.local_bytes, described);
        const CheckedSize end = offset + argument.local_bytes;
        require(end.fits(UINT32_MAX), CL_OUT_OF_RESOURCES,
                "with it the kernel needs % bytes of local memory", end.saturated());
        if (argument.local_bytes != 0) // 3.1: otherwise the pointer's value is ours to choose
            snapshot.local_bytes = static_cast<uint32_t>(end.saturated());
        put_value(block, described, uint64_t{offset.saturated()});
    } else if (argument.sampler) {
        const Ref<Sampler> sampler = find(argument.sampler);
        require(bool(sampler), CL_INVALID_KERNEL_ARGS,
                "the sampler has been released since it was set");
        put_value(block, described, sampler->bits());
        if (snapshot.versions)
            snapshot.known.push_back({index_of(described, snapshot), true, {sampler->bits()}});
    } else if (argument.memory) {
        Ref<MemObject> memory = find(argument.memory);
        require(bool(memory), CL_INVALID_KERNEL_ARGS,
                "the memory object has been released since it was set");
        require_aligned(*memory, context_device);
        if (described.note.kind == RVL_ARGUMENT_COUNTER) {
            // Each counter is written back at the end: with two at one address, one update would be
            // lost.
            const AtomicCounter counter{memory->argument(context_device),
                                        static_cast<uint8_t>(described.note.bytes)};
            require(std::ranges::none_of(
                        snapshot.counters,
                        [&](const AtomicCounter &other) { return counter.overlaps(other); }),
                    CL_INVALID_KERNEL_ARGS, "the counter overlaps another one");
            require(snapshot.counters.size() < RVL_MAX_COUNTERS, CL_OUT_OF_RESOURCES,
                    "a kernel has at most % counters", RVL_MAX_COUNTERS);
            put_value(block, described, static_cast<uint32_t>(snapshot.counters.size()));
            snapshot.counters.push_back(counter);
        } else {
            // Another object may have the address of one that has been released.
            require((memory->type() != CL_MEM_OBJECT_BUFFER) ==
                        (described.note.kind == RVL_ARGUMENT_IMAGE),
                    CL_INVALID_KERNEL_ARGS, "the object has been released since it was set");
            put_value(block, described, memory->argument(context_device));
            if (snapshot.versions && described.note.kind == RVL_ARGUMENT_IMAGE)
                snapshot.known.push_back({index_of(described, snapshot), false,
                                          format_of(static_cast<const Image &>(*memory))});
            if (memory->size() > largest_small_buffer) {
                require(snapshot.large_entry, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        "it has % bytes, more than %, and %", memory->size(), largest_small_buffer,
                        no_large_version);
                snapshot.has_large_buffers = true;
            }
        }
        const bool is_written = may_write(described.note, *memory);
        snapshot.memory.push_back({std::move(memory), is_written});
    } else if (argument.device_address) { // its buffer's memory is brought to the device
        put_value(block, described, *argument.device_address);
        if (Ref<Buffer> buffer = find_addressed(context_device, *argument.device_address)) {
            const bool is_written = may_write(described.note, *buffer);
            snapshot.memory.push_back({std::move(buffer), is_written});
        }
    } else {
        put_value(block, described, uint64_t{reinterpret_cast<uintptr_t>(argument.pointer)});
    }
}

} // namespace rivulet
