// SPDX-License-Identifier: Apache-2.0
//
// A picture from a camera (V4L2, vivid) into the device's memory, through a kernel, and on to a
// video output, in place: both drivers import dma-bufs of OpenCL buffers.
//
//   camera CAPTURE OUTPUT NEGATIVE.rvk DRM-NODE
//
// NEGATIVE.rvk has a kernel negative(global uint *to, global const uint *from). A dumb buffer of
// DRM-NODE is memory that the device can't reach: its import must be refused.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/videodev2.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "CL/cl_ext_rivulet.h"

enum {
    width = 320,
    height = 180,
    pixels = width * height,
    bytes = pixels * 4,
    output_bytes = 8 << 20, // outputs have sizes of their own
};

// Of DRM's interface, whose headers not every system has.
struct create_dumb {
    uint32_t height, width, bpp, flags, handle, pitch;
    uint64_t size;
};
struct prime_handle {
    uint32_t handle, flags;
    int32_t fd;
};
#define CREATE_DUMB _IOWR('d', 0xb2, struct create_dumb)
#define PRIME_HANDLE_TO_FD _IOWR('d', 0x2d, struct prime_handle)

static void need(int holds, const char *what) {
    if (holds)
        return;
    printf("camera: %s: %s\n", what, strerror(errno));
    exit(1);
}
static void check(cl_int status, const char *what) {
    if (status == CL_SUCCESS)
        return;
    printf("camera: %s: OpenCL error %d\n", what, status);
    exit(1);
}

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static clGetMemHandleForTypeRIVULET_fn handle_of;

/* A buffer of the device, and its dma-buf. */
static cl_mem shared_buffer(size_t size, int *dma_buf) {
    const cl_mem_properties properties[] = {CL_MEM_EXPORT_HANDLE_TYPES_RIVULET,
                                            CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, 0, 0};
    cl_int status;
    cl_mem buffer =
        clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, size, NULL, &status);
    check(status, "a buffer with a dma-buf");
    check(handle_of(buffer, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, sizeof *dma_buf, dma_buf, NULL),
          "its dma-buf");
    return buffer;
}

/* Prepares a V4L2 device for frames in dma-bufs. */
static int open_video(const char *path, enum v4l2_buf_type type, uint32_t *size) {
    const int video = open(path, O_RDWR);
    need(video >= 0, path);
    struct v4l2_format format = {.type = type};
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = V4L2_PIX_FMT_XBGR32;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    need(ioctl(video, VIDIOC_S_FMT, &format) == 0, "the format of frames");
    printf("camera: %s has frames of %u x %u, %u bytes\n", path, format.fmt.pix.width,
           format.fmt.pix.height, format.fmt.pix.sizeimage);
    *size = format.fmt.pix.sizeimage;
    struct v4l2_requestbuffers request = {.count = 2, .type = type, .memory = V4L2_MEMORY_DMABUF};
    need(ioctl(video, VIDIOC_REQBUFS, &request) == 0, "frames in dma-bufs");
    return video;
}

static void run_frame(int video, enum v4l2_buf_type type, uint32_t size, const int *dma_bufs,
                      unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        struct v4l2_buffer frame = {
            .index = i, .type = type, .memory = V4L2_MEMORY_DMABUF, .bytesused = size};
        frame.m.fd = dma_bufs[i];
        frame.length = size;
        need(ioctl(video, VIDIOC_QBUF, &frame) == 0, "a frame for the driver");
    }
    need(ioctl(video, VIDIOC_STREAMON, &type) == 0, "streaming");
    struct v4l2_buffer done = {.type = type, .memory = V4L2_MEMORY_DMABUF};
    need(ioctl(video, VIDIOC_DQBUF, &done) == 0 && done.index == 0, "the first frame");
    need(ioctl(video, VIDIOC_STREAMOFF, &type) == 0, "the end of streaming");
}

/* Memory of Linux, which the device can't reach. */
static void refuse_memory_of(const char *path) {
    const int node = open(path, O_RDWR);
    need(node >= 0, path);
    struct create_dumb dumb = {.width = width, .height = height, .bpp = 32};
    need(ioctl(node, CREATE_DUMB, &dumb) == 0, "a dumb buffer");
    struct prime_handle prime = {.handle = dumb.handle, .flags = O_CLOEXEC | O_RDWR};
    need(ioctl(node, PRIME_HANDLE_TO_FD, &prime) == 0, "its dma-buf");
    const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                            (cl_mem_properties)prime.fd, 0};
    cl_int status = CL_SUCCESS;
    clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, bytes, NULL, &status);
    printf("camera: a dumb buffer of %s: OpenCL error %d\n", path, status);
    need(status == CL_INVALID_VALUE, "a refusal");
    close(prime.fd);
    close(node);
}

static cl_ulong copied_bytes(void) {
    cl_ulong copied = 0;
    check(clGetDeviceInfo(device, CL_DEVICE_COPIED_BYTES_RIVULET, sizeof copied, &copied, NULL),
          "the number of copied bytes");
    return copied;
}

static cl_kernel kernel_of(const char *path) {
    static unsigned char binary[1 << 20];
    FILE *file = fopen(path, "rb");
    need(file != NULL, path);
    const size_t length = fread(binary, 1, sizeof binary, file);
    fclose(file);
    const unsigned char *binaries = binary;
    cl_int status;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &length, &binaries, NULL, &status);
    check(status, path);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "building");
    cl_kernel kernel = clCreateKernel(program, "negative", &status);
    check(status, "the kernel");
    return kernel;
}

int main(int argc, char **argv) {
    need(argc == 5, "four arguments");
    cl_platform_id platform;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "a device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "a context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    check(status, "a queue");
    handle_of = (clGetMemHandleForTypeRIVULET_fn)clGetExtensionFunctionAddressForPlatform(
        platform, "clGetMemHandleForTypeRIVULET");

    int in_dma_bufs[2], out_dma_bufs[2];
    cl_mem in = shared_buffer(bytes, &in_dma_bufs[0]);
    cl_mem out = shared_buffer(output_bytes, &out_dma_bufs[0]);
    shared_buffer(bytes, &in_dma_bufs[1]); // drivers want more than one frame
    shared_buffer(output_bytes, &out_dma_bufs[1]);

    cl_kernel negative = kernel_of(argv[3]);
    const size_t items = pixels;
    const cl_mem both[] = {in, out};
    check(clSetKernelArg(negative, 0, sizeof out, &out), "an argument");
    check(clSetKernelArg(negative, 1, sizeof in, &in), "an argument");
    check(clEnqueueNDRangeKernel(queue, negative, 1, NULL, &items, NULL, 0, NULL, NULL),
          "the first launch, for which code is copied");
    check(clFinish(queue), "its end");

    const cl_ulong before = copied_bytes();
    uint32_t size = 0;
    const int capture = open_video(argv[1], V4L2_BUF_TYPE_VIDEO_CAPTURE, &size);
    need(size == bytes, "frames of that size");
    run_frame(capture, V4L2_BUF_TYPE_VIDEO_CAPTURE, size, in_dma_bufs, 2);

    clEnqueueAcquireExternalMemObjectsKHR_fn acquire =
        (clEnqueueAcquireExternalMemObjectsKHR_fn)clGetExtensionFunctionAddressForPlatform(
            platform, "clEnqueueAcquireExternalMemObjectsKHR");
    clEnqueueReleaseExternalMemObjectsKHR_fn release =
        (clEnqueueReleaseExternalMemObjectsKHR_fn)clGetExtensionFunctionAddressForPlatform(
            platform, "clEnqueueReleaseExternalMemObjectsKHR");
    check(acquire(queue, 2, both, 0, NULL, NULL), "acquiring");
    check(clEnqueueNDRangeKernel(queue, negative, 1, NULL, &items, NULL, 0, NULL, NULL), "running");
    check(release(queue, 2, both, 0, NULL, NULL), "releasing");
    check(clFinish(queue), "finishing");

    /* What programs see of the dma-bufs is the same memory. */
    const uint32_t *seen_in = mmap(NULL, bytes, PROT_READ, MAP_SHARED, in_dma_bufs[0], 0);
    const uint32_t *seen_out = mmap(NULL, bytes, PROT_READ, MAP_SHARED, out_dma_bufs[0], 0);
    need(seen_in != MAP_FAILED && seen_out != MAP_FAILED, "mapped dma-bufs");
    unsigned colours = 0, wrong = 0;
    for (unsigned i = 0; i < pixels; ++i) {
        colours += i > 0 && seen_in[i] != seen_in[i - 1];
        wrong += seen_out[i] != ~seen_in[i];
    }
    printf("camera: %u changes of colour, %u wrong pixels\n", colours, wrong);
    need(colours > 100 && wrong == 0, "the camera's picture, negative");

    const int output = open_video(argv[2], V4L2_BUF_TYPE_VIDEO_OUTPUT, &size);
    need(size <= output_bytes, "room for the output's frames");
    run_frame(output, V4L2_BUF_TYPE_VIDEO_OUTPUT, size, out_dma_bufs, 2);
    const cl_ulong copied = copied_bytes() - before;
    printf("camera: %llu bytes of a picture of %d were copied\n", (unsigned long long)copied,
           bytes);
    need(copied == 0, "no copy");
    refuse_memory_of(argv[4]);
    printf("camera: done\n");
    return 0;
}
