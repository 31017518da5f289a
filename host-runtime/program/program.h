// SPDX-License-Identifier: Apache-2.0
//
// cl_program (5.6): source or binaries, and for each of its devices the result of the last build,
// compile or link.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/lock.h"
#include "host-runtime/context/context.h"
#include "host-runtime/object/object.h"
#include "host-runtime/program/binary.h"
#include "host-runtime/program/loaded_kernel_image.h"

namespace rivulet {

InstructionSet instruction_set(const Device &device);

/// The state of a program for one device.
struct DeviceProgram {
    Ref<Device> device;
    cl_build_status status = CL_BUILD_NONE;
    std::string options; // of the last build, compile or link
    std::string log;
    Binary binary;
    std::shared_ptr<const LoadedKernelImage> loaded; // once built: kernels can be created

    [[nodiscard]] bool is_built() const { return status == CL_BUILD_SUCCESS && loaded; }
};

/// Fails with CL_INVALID_PROGRAM_EXECUTABLE if the program is not built for any device.
void require_built(const std::vector<DeviceProgram> &built);
/// The kernels of all devices, those of the same name once.
std::vector<const ImageKernel *> kernels_of(const std::vector<DeviceProgram> &built);

class Program : public Object {
public:
    enum class Origin : unsigned char { source, intermediate, binary, linked, built_in };

    Program(Ref<Context> context, Origin origin, std::vector<Ref<Device>> devices,
            std::string source = {});
    ~Program() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Ref<Context> &context_ref() const { return context_; }
    [[nodiscard]] const Object *reports_to() const final { return &context(); }
    [[nodiscard]] Origin origin() const { return origin_; }
    [[nodiscard]] const std::string &source() const { return source_; }
    /// Source or intermediate language, i.e. input for a compiler.
    [[nodiscard]] bool is_compiled() const { return origin_ <= Origin::intermediate; }

    /// clCreateProgramWithIL: as given, and with specialization constants applied.
    [[nodiscard]] const std::vector<std::byte> &intermediate() const { return intermediate_; }
    [[nodiscard]] std::vector<std::byte> specialized() const;
    void set_intermediate(std::vector<std::byte> module);
    /// Fails with CL_INVALID_SPEC_ID or CL_INVALID_VALUE.
    void specialize(cl_uint id, std::span<const std::byte> value);
    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }
    [[nodiscard]] bool has(const Device &device) const;

    /// The current state of the program for a device.
    [[nodiscard]] DeviceProgram state(const Device &device) const;
    [[nodiscard]] std::vector<DeviceProgram> states() const;
    /// Waits for asynchronous clBuildProgram and similar calls, as functions that query kernels
    /// must.
    void finish_builds() const;
    /// The states of all devices it is built for; may be empty.
    [[nodiscard]] std::vector<DeviceProgram> built() const;

    /// The line of a build log that explains the failure, for messages.
    [[nodiscard]] std::string first_error() const;

    void set_binary(const Device &device, Binary binary);
    /// Makes these kernels of the device the program's, which needs no build.
    void set_built_in(const Device &device, std::span<const hal::BuiltInKernel *const> kernels);

    /// Claims the devices for a build; CL_INVALID_OPERATION while another build is in progress or
    /// kernels are attached.
    void begin_build(const std::vector<Ref<Device>> &devices, const std::string &options);
    void end_build(DeviceProgram outcome);
    /// Ends a build if there is no memory even for its outcome. No effect after `end_build`.
    void abandon_build(const Device &device);

    // 5.6.2: the program must not be rebuilt while kernel objects are attached.
    void attach_kernel() { ++kernels_; }
    void detach_kernel() { --kernels_; }

private:
    [[nodiscard]] size_t index_of(const Device &device) const;

    const Ref<Context> context_;
    const Origin origin_;
    const std::string source_;
    const std::vector<Ref<Device>> devices_;
    std::vector<std::byte> intermediate_;
    std::atomic<unsigned> kernels_ = 0;

    mutable Mutex mutex_{LockRank::program};
    mutable Condition build_ended_;
    std::vector<DeviceProgram> states_; // parallel to devices_
    std::vector<std::byte> specialized_;
};

} // namespace rivulet
