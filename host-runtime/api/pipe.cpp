// SPDX-License-Identifier: Apache-2.0
//
// Pipes are not supported (CL_DEVICE_PIPE_SUPPORT); these are the results that 3.0 requires.
#include "host-runtime/memory/mem_object.h"
#include "host-runtime/object/entry.h"

using namespace rivulet;

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags, cl_uint, cl_uint,
                                const cl_pipe_properties *, cl_int *errcode_ret) {
    return create(context, errcode_ret, [](const Context &) -> cl_mem {
        fail(CL_INVALID_OPERATION, "pipes are not supported (CL_DEVICE_PIPE_SUPPORT)");
    });
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) {
    return entry(
        [] { fail(CL_INVALID_MEM_OBJECT, "pipes are not supported (CL_DEVICE_PIPE_SUPPORT)"); });
}
