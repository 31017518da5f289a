// SPDX-License-Identifier: Apache-2.0
//
// cl_program (5.6): source or binaries, and for each of its devices what the last build, compile
// or link made of them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "hal/core/lock.h"
#include "host-runtime/device/context.h"
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
    std::shared_ptr<const LoadedKernelImage> loaded; // once it is built: kernels can be made

    [[nodiscard]] bool is_built() const { return status == CL_BUILD_SUCCESS && loaded; }
};

/// Fails with CL_INVALID_PROGRAM_EXECUTABLE if the program is built for no device.
void require_built(const std::vector<DeviceProgram> &built);

class Program : public Object {
public:
    enum class Origin : unsigned char { source, intermediate, binary, linked };

    Program(Ref<Context> context, Origin origin, std::vector<Ref<Device>> devices,
            std::string source = {});
    ~Program() override;

    [[nodiscard]] const Context &context() const { return *context_; }
    [[nodiscard]] const Context *reports_to() const final { return &context(); }
    [[nodiscard]] Origin origin() const { return origin_; }
    [[nodiscard]] const std::string &source() const { return source_; }
    /// Source or intermediate language: what a compiler takes.
    [[nodiscard]] bool is_compiled() const { return origin_ <= Origin::intermediate; }

    /// clCreateProgramWithIL: as given, and with its specialisation constants.
    [[nodiscard]] const std::vector<std::byte> &intermediate() const { return intermediate_; }
    [[nodiscard]] std::vector<std::byte> specialized() const;
    void set_intermediate(std::vector<std::byte> module);
    /// Fails with CL_INVALID_SPEC_ID or CL_INVALID_VALUE.
    void specialize(cl_uint id, std::span<const std::byte> value);
    [[nodiscard]] const std::vector<Ref<Device>> &devices() const { return devices_; }
    [[nodiscard]] bool has(const Device &device) const;

    /// The state of a device of the program, as it is now.
    [[nodiscard]] DeviceProgram state(const Device &device) const;
    [[nodiscard]] std::vector<DeviceProgram> states() const;
    /// Waits for what clBuildProgram and its like do on threads of their own, as functions must
    /// that ask for kernels.
    void finish_builds() const;
    /// All that is built; may be empty.
    [[nodiscard]] std::vector<DeviceProgram> built() const;

    /// The line of a build log that says why a build failed, for those who don't read the log.
    [[nodiscard]] std::string first_error() const;

    void set_binary(const Device &device, Binary binary);

    /// Claims the devices for a build; CL_INVALID_OPERATION while one is under way or kernels
    /// are attached.
    void begin_build(const std::vector<Ref<Device>> &devices, const std::string &options);
    void end_build(DeviceProgram outcome);
    /// For lack of memory, even for an outcome. Does nothing after `end_build`.
    void abandon_build(const Device &device);

    // 5.6.2: kernel objects that are attached forbid to build the program again.
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
    std::vector<DeviceProgram> states_; // as devices_
    std::vector<std::byte> specialized_;
};

} // namespace rivulet
