// SPDX-License-Identifier: Apache-2.0
//
// Checks that the commands of SVM (5.6 of OpenCL 3.0) and cl_intel_unified_shared_memory share.
#pragma once

#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/shared_memory.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

/// 0: the default; else a power of two, at most `most`.
void check_alignment(size_t alignment, size_t most);
/// Checks memory that a command names by a pointer: it can exist, and has no more of shared memory
/// than the pointer's allocation has.
void check_range(const Context &context, const void *pointer, size_t size);
/// Check a copy and a fill; a pattern has 1, 2, 4 … 128 bytes.
HostCommand checked_shared_copy(cl_command_type type, Queue &queue, void *to, const void *from,
                                size_t size);
HostCommand checked_shared_fill(cl_command_type type, Queue &queue, void *to, const void *pattern,
                                size_t pattern_size, size_t size);
/// The same on devices with SVM; CL_INVALID_OPERATION on others.
HostCommand checked_svm_copy(Queue &queue, void *to, const void *from, size_t size);
HostCommand checked_svm_fill(Queue &queue, void *to, const void *pattern, size_t pattern_size,
                             size_t size);

/// clSetKernelArgSVMPointer, and the same of the extension.
cl_int set_pointer_argument(cl_kernel kernel, cl_uint index, const void *pointer,
                            Caller caller = __builtin_FUNCTION());

} // namespace rivulet
