// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host-runtime/graph/launch.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {

/// 5.8: an NDRange that was found right, with the kernel's arguments as they are now.
struct CheckedLaunch {
    KernelSnapshot kernel;
    NDRange range;

    static CheckedLaunch of(const Context &context, const Device &device, cl_kernel kernel,
                            cl_uint work_dim, const size_t *offset, const size_t *global,
                            const size_t *local);
    [[nodiscard]] bool is_empty() const;
    Ref<Event> submit(Queue &queue, WaitList waits, cl_event *event) &&;
};

} // namespace rivulet
