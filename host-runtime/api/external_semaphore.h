// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_external_semaphore: the handles with which semaphores leave and enter the library.
#pragma once

#include <vector>

#include "host-runtime/graph/semaphore.h"

namespace rivulet {

/// Types of handles that semaphores can get, and be made from.
std::vector<cl_external_semaphore_handle_type_khr> semaphore_handle_types();

/// Makes what a sync file waits for a signal of the semaphore; -1 stands for a past one. The
/// descriptor belongs to the library afterwards. Fails with CL_INVALID_VALUE if it is something
/// else.
void import_sync_file(const Ref<Semaphore> &semaphore, int descriptor);

} // namespace rivulet
