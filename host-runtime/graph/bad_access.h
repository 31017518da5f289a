// SPDX-License-Identifier: Apache-2.0
//
// Kernels built with -rv-sanitize=address (hal/protocol/sanitizer.h): what they are told of the
// context's memory, and what they report.
#pragma once

#include <string>

#include "hal/protocol/fault.h"
#include "host-runtime/device/context.h"
#include "host-runtime/graph/launch.h"

namespace rivulet {

/// Writes rvl_sanitizer into the page of a launch's record; returns the table of allocations, which
/// has to stay as long as the launch. Without memory for it no pointer is looked up.
Block write_bounds(const KernelSnapshot &kernel, const ContextDevice &context_device,
                   uint64_t record);

/// An access out of bounds, in words; empty if the fault is none.
std::string bad_access(const rvl_fault &fault, const KernelSnapshot &kernel,
                       const ContextDevice &context_device);

} // namespace rivulet
