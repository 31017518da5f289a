// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host-runtime/program/launch.h"

namespace rivulet {

/// 5.8: a validated NDRange with the kernel's current arguments.
struct CheckedLaunch {
    NDRange range;
    bool has_arguments = true;
    KernelSnapshot kernel;

    /// `arguments` says whether arguments may be missing, as in a command that an update completes.
    enum Arguments : bool { complete, may_be_missing };
    static CheckedLaunch of(const Kernel &kernel, const Device &device, cl_uint work_dim,
                            const size_t *offset, const size_t *global, const size_t *local,
                            Arguments arguments = complete);
    [[nodiscard]] bool is_empty() const;
    /// Adds the launch to a batch. `type` is the event's command type.
    Ref<Event> add_to(Batch &batch, const WaitList &waits,
                      cl_command_type type = CL_COMMAND_NDRANGE_KERNEL) &&;
};

} // namespace rivulet
