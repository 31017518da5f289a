// SPDX-License-Identifier: Apache-2.0
//
// cl_kernel (5.7): a kernel of a program, and the values of its arguments.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/brief_lock.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/program/launch.h"
#include "host-runtime/program/program.h"

namespace rivulet {

class Kernel : public Object {
public:
    /// The kernel for one of its program's devices.
    struct Variant {
        Ref<Device> device;
        std::shared_ptr<const LoadedKernelImage> loaded;
        const ImageKernel *kernel; // element of loaded->image()
        KernelVersions *versions;  // of `loaded`; null if it can have none
    };

    /// 5.7.1: fails with CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME or
    /// CL_INVALID_KERNEL_DEFINITION.
    Kernel(Ref<Program> program, std::string_view name);
    /// clCloneKernel: copies the current arguments.
    explicit Kernel(const Kernel &other);
    /// The same for a recorded command, which doesn't keep the program from being built again.
    enum Attachment : bool { unattached };
    Kernel(const Kernel &other, Attachment);
    ~Kernel() override;

    [[nodiscard]] const Context &context() const { return program_->context(); }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] const Program &program() const { return *program_; }
    [[nodiscard]] std::string_view name() const { return definition().name; }
    [[nodiscard]] const std::vector<Variant> &variants() const { return variants_; }
    /// The definition, which is the same for all devices.
    [[nodiscard]] const ImageKernel &definition() const { return *variants_.front().kernel; }
    [[nodiscard]] bool has_argument_info() const;
    /// The compiler's description of an argument, or CL_INVALID_ARG_INDEX.
    [[nodiscard]] const ImageArgument &described(cl_uint index) const;

    /// 5.6.7: the device's own variant, or its parent's; CL_INVALID_PROGRAM_EXECUTABLE.
    [[nodiscard]] const Variant &variant(const Device &device) const;
    [[nodiscard]] const rvl_kernel_note &note(const Device &device) const {
        return variant(device).kernel->note;
    }

    /// 5.7.2, including all checks.
    void set_argument(cl_uint index, size_t size, const void *value);
    /// clSetKernelArgSVMPointer: an address instead of a buffer.
    void set_pointer(cl_uint index, const void *pointer);
    /// clSetKernelArgDevicePointerEXT: an address of the device.
    void set_device_address(cl_uint index, uint64_t address);
    /// CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT: launches use the buffers that have these addresses.
    void set_device_addresses(std::span<const uint64_t> addresses);

    /// Static local memory plus that of the arguments set so far, laid out with alignment.
    [[nodiscard]] uint64_t local_bytes(const Device &device) const;

    /// Captures the arguments for a launch; fails with CL_INVALID_KERNEL_ARGS.
    [[nodiscard]] KernelSnapshot snapshot(const Device &device) const;
    /// All but the arguments.
    [[nodiscard]] KernelSnapshot snapshot_without_arguments(const Device &device) const;
    [[nodiscard]] bool has_all_arguments() const;
    /// Keeps the memory objects and samplers of the present arguments, for updates of a recorded
    /// command: the application may have released them by then.
    void retain_arguments();

private:
    /// 5.7.2: memory objects and samplers are not retained as arguments.
    struct Argument {
        bool is_set = false;
        std::vector<std::byte> value;
        cl_mem memory = nullptr;
        cl_sampler sampler = nullptr;
        size_t local_bytes = 0;
        const void *pointer = nullptr;
        std::optional<uint64_t> device_address = {};
    };
    void on_last_handle() override { detach(); }
    void detach();
    [[nodiscard]] Argument checked_argument(const ImageArgument &, size_t size,
                                            const void *value) const;
    [[nodiscard]] Argument checked_memory(const ImageArgument &, const void *value) const;
    /// Adds the argument to the message if `check` fails.
    void about(cl_uint index, FunctionRef<void()> check) const;
    void store(cl_uint index, Argument argument);
    void put(const ImageArgument &, const Argument &, const ContextDevice &,
             KernelSnapshot &) const;
    void add_bounds(uint32_t index, const ImageArgument &, const Argument &, const ContextDevice &,
                    KernelSnapshot &) const;

    const Ref<Program> program_;
    std::vector<Variant> variants_; // at least one
    std::atomic<bool> attached_ = true;

    mutable BriefMutex mutex_{LockRank::kernel};
    std::vector<Argument> arguments_;
    std::vector<uint64_t> device_addresses_; // of buffers that are used beside the arguments
    std::vector<Ref<Object>> retained_;      // empty but for recorded commands
};

} // namespace rivulet
