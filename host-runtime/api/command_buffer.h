// SPDX-License-Identifier: Apache-2.0
//
// Commands of cl_khr_command_buffer that take properties since version 0.9.5, and
// clUpdateMutableCommandsKHR. Their types differ from those in older headers, so they are not
// declared under these names outside the namespace.
#pragma once

#include <type_traits>

#include "host-runtime/include/opencl.h"

namespace rivulet::command_buffer {

template <class Pointer> using Function = std::remove_pointer_t<Pointer>;

extern Function<clCommandBarrierWithWaitListKHR_098_fn> clCommandBarrierWithWaitListKHR;
extern Function<clCommandCopyBufferKHR_098_fn> clCommandCopyBufferKHR;
extern Function<clCommandCopyBufferRectKHR_098_fn> clCommandCopyBufferRectKHR;
extern Function<clCommandCopyBufferToImageKHR_098_fn> clCommandCopyBufferToImageKHR;
extern Function<clCommandCopyImageKHR_098_fn> clCommandCopyImageKHR;
extern Function<clCommandCopyImageToBufferKHR_098_fn> clCommandCopyImageToBufferKHR;
extern Function<clCommandFillBufferKHR_098_fn> clCommandFillBufferKHR;
extern Function<clCommandFillImageKHR_098_fn> clCommandFillImageKHR;
extern Function<clCommandNDRangeKernelKHR_098_fn> clCommandNDRangeKernelKHR;
extern Function<clCommandSVMMemcpyKHR_098_fn> clCommandSVMMemcpyKHR;
extern Function<clCommandSVMMemFillKHR_098_fn> clCommandSVMMemFillKHR;
extern Function<clUpdateMutableCommandsKHR_095_fn> clUpdateMutableCommandsKHR;

} // namespace rivulet::command_buffer
