// SPDX-License-Identifier: Apache-2.0
//
// The smallest whole OpenCL program: adds two vectors and checks the sum.
//
//   vecadd [PROGRAM]
//
// PROGRAM is a file with the kernel compiled before, for devices without a compiler.
#include <stdio.h>
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { length = 10000, bytes = length * sizeof(float) };

static const char *source = "kernel void vecadd(global const float *a, global const float *b,\n"
                            "                   global float *c) {\n"
                            "    size_t i = get_global_id(0);\n"
                            "    c[i] = a[i] + b[i];\n"
                            "}\n";

static void check(cl_int status, const char *what) {
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "vecadd: %s: OpenCL error %d\n", what, status);
    exit(1);
}

static cl_program compiled(const char *path, cl_context context, cl_device_id device) {
    static unsigned char binary[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t length_of_binary = file ? fread(binary, 1, sizeof binary, file) : 0;
    if (!file || ferror(file) || length_of_binary == sizeof binary) {
        fprintf(stderr, "vecadd: %s can't be read, or has more than 1 MiB\n", path);
        exit(1);
    }
    fclose(file);
    const unsigned char *binaries = binary;
    cl_int status;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &length_of_binary, &binaries, NULL, &status);
    check(status, "clCreateProgramWithBinary");
    return program;
}

int main(int count, char **arguments) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");

    cl_program program;
    if (count > 1) {
        program = compiled(arguments[1], context, device);
    } else {
        program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
        check(status, "clCreateProgramWithSource");
    }
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "vecadd", &status);
    check(status, "clCreateKernel");

    static float a[length], b[length], c[length];
    for (int i = 0; i < length; ++i) {
        a[i] = 0.5f * (float)i;
        b[i] = 1.0f + (float)i;
    }
    cl_mem_flags in = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem buffers[3];
    buffers[0] = clCreateBuffer(context, in, bytes, a, &status);
    check(status, "clCreateBuffer");
    buffers[1] = clCreateBuffer(context, in, bytes, b, &status);
    check(status, "clCreateBuffer");
    buffers[2] = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    for (cl_uint i = 0; i < 3; ++i)
        check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");

    size_t global_size = length;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global_size, NULL, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, c, 0, NULL, NULL),
          "clEnqueueReadBuffer");

    for (int i = 0; i < length; ++i)
        if (c[i] != a[i] + b[i]) {
            fprintf(stderr, "vecadd: element %d is %g, not %g\n", i, c[i], a[i] + b[i]);
            return 1;
        }
    printf("%d sums, all right\n", length);

    for (int i = 0; i < 3; ++i)
        clReleaseMemObject(buffers[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
