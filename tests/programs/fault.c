/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with a faulty kernel that exits as early as possible: right after clFinish, whether
 * that failed or not. Prints what its context was told.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>

static void CL_CALLBACK told(const char *text, const void *data, size_t bytes, void *user) {
    (void)data, (void)bytes, (void)user;
    printf("told: %s\n", text);
    fflush(stdout);
}

int main(void) {
    const char *source =
        "kernel void wild(global int *out, ulong address) { *(global int *)address = 1; }";
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 2;
    cl_int code;
    cl_context context = clCreateContext(NULL, 1, &device, told, NULL, &code);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        return 3;
    cl_kernel kernel = clCreateKernel(program, "wild", &code);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, &code);
    const cl_ulong nowhere = 64;
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clSetKernelArg(kernel, 1, sizeof nowhere, &nowhere);
    const size_t one = 1;
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) != CL_SUCCESS)
        return 4;
    clFinish(queue);
    fputs("finished\n", stderr);
    return 0;
}
