// SPDX-License-Identifier: Apache-2.0
//
// Kernels built with -rv-sanitize=address (hal/protocol/sanitizer.h): what they are told about the
// context's memory, and what they report.
#pragma once

#include <string>

#include "hal/protocol/fault.h"
#include "host-runtime/context/context.h"
#include "host-runtime/program/launch.h"

namespace rivulet {

/// Writes rvl_sanitizer to the page of a launch record. Returns the table of allocations, which has
/// to exist as long as the launch. If there is no memory for it, no pointer is looked up.
Block write_bounds(const KernelSnapshot &kernel, bool has_large_buffers,
                   const ContextDevice &context_device, uint64_t record);

/// Describes an out-of-bounds access; empty if the fault is not one.
std::string bad_access(const rvl_fault &fault, const KernelSnapshot &kernel,
                       const ContextDevice &context_device);

} // namespace rivulet
