// SPDX-License-Identifier: Apache-2.0
//
// Checks shared by the SVM commands (OpenCL 3.0, 5.6) and cl_intel_unified_shared_memory.
#pragma once

#include "host-runtime/context/shared_memory.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

/// 0 selects the default; otherwise it must be a power of two up to `most`.
void check_alignment(size_t alignment, size_t most);
/// Checks memory passed to a command as a pointer: it must be addressable, and must not extend
/// beyond the end of the allocation that the pointer refers to.
void check_range(const Context &context, const void *pointer, size_t size);
/// Check a copy and a fill; patterns have 1, 2, 4 … 128 bytes.
HostCommand checked_shared_copy(cl_command_type type, Queue &queue, void *to, const void *from,
                                size_t size);
HostCommand checked_shared_fill(cl_command_type type, Queue &queue, void *to, const void *pattern,
                                size_t pattern_size, size_t size);
/// The same for devices with SVM; CL_INVALID_OPERATION for others.
HostCommand checked_svm_copy(Queue &queue, void *to, const void *from, size_t size);
HostCommand checked_svm_fill(Queue &queue, void *to, const void *pattern, size_t pattern_size,
                             size_t size);

/// clSetKernelArgSVMPointer, and its counterpart in the extension.
void set_pointer_argument(Kernel &kernel, cl_uint index, const void *pointer);
/// clSetKernelExecInfo. Nothing needs to be recorded of shared memory: kernels can access all that
/// their context has.
void set_exec_info(Kernel &kernel, cl_kernel_exec_info name, size_t size, const void *value);

} // namespace rivulet
