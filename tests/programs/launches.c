/* SPDX-License-Identifier: Apache-2.0
 *
 *     launches chain|graph|single|read COUNT
 *
 * Launches an empty kernel COUNT times: in order, 500 at a time; in an out-of-order queue with up
 * to three edges to any of the 1,000 commands before; or one at a time, alone or with a read of 4
 * bytes behind it. Its instructions are counted, and it prints the microseconds that a launch took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

enum { REACH = 1000, MOST_EDGES = 3, CHAIN = 500, FLUSHED = 64 };

static void check(cl_int code, const char *what) {
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "launches: %s: %d\n", what, code);
    exit(1);
}

/* The same edges everywhere. */
static unsigned next_random(void) {
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *events,
                   cl_event *event) {
    const size_t one = 1;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, waits, waits ? events : NULL,
                                 event),
          "clEnqueueNDRangeKernel");
}

static void chain(cl_command_queue queue, cl_kernel kernel, size_t count) {
    for (size_t at = 0; at < count; ++at) {
        launch(queue, kernel, 0, NULL, NULL);
        if (at % CHAIN == CHAIN - 1)
            check(clFinish(queue), "clFinish");
    }
    check(clFinish(queue), "clFinish");
}

static void graph(cl_command_queue queue, cl_kernel kernel, size_t count) {
    cl_event *events = calloc(count, sizeof *events);
    if (!events)
        exit(1);
    for (size_t at = 0; at < count; ++at) {
        cl_event waits[MOST_EDGES];
        cl_uint edges = at == 0 ? 0 : next_random() % (MOST_EDGES + 1);
        for (cl_uint edge = 0; edge < edges; ++edge)
            waits[edge] = events[at - 1 - next_random() % (at < REACH ? at : REACH)];
        launch(queue, kernel, edges, waits, &events[at]);
        if (at % FLUSHED == FLUSHED - 1)
            check(clFlush(queue), "clFlush");
    }
    check(clFinish(queue), "clFinish");
    for (size_t at = 0; at < count; ++at)
        check(clReleaseEvent(events[at]), "clReleaseEvent");
    free(events);
}

/* A blocking read is what most programs end a launch with. */
static void one_at_a_time(cl_context context, cl_command_queue queue, cl_kernel kernel,
                          size_t count, int reads) {
    cl_int code = CL_SUCCESS;
    cl_int value = 0;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value,
                                   &value, &code);
    check(code, "clCreateBuffer");
    for (size_t at = 0; at < count; ++at) {
        launch(queue, kernel, 0, NULL, NULL);
        check(reads ? clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL,
                                          NULL)
                    : clFinish(queue),
              "the end of a launch");
    }
    clReleaseMemObject(buffer);
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    const int is_graph = strcmp(argv[1], "graph") == 0;
    const size_t count = strtoul(argv[2], NULL, 10);
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    cl_int code = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, is_graph ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    check(code, "clCreateCommandQueueWithProperties");
    const char *source = "kernel void nothing() {}";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "nothing", &code);
    check(code, "clCreateKernel");
    const int reads = strcmp(argv[1], "read") == 0;
    const double begin = microseconds();
    if (reads || strcmp(argv[1], "single") == 0)
        one_at_a_time(context, queue, kernel, count, reads);
    else
        (is_graph ? graph : chain)(queue, kernel, count);
    printf("%.2f\n", (microseconds() - begin) / (double)count);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
