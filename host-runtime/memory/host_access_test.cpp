// SPDX-License-Identifier: Apache-2.0
//
// Application memory that is read-only, or unmapped by the time a command accesses it.
#include <sys/mman.h>
#include <unistd.h>

#include <numeric>
#include <span>

#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

using testing::Each;

const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));

class HostMemory : public OpenCL {
protected:
    void SetUp() override {
        OpenCL::SetUp();
        void *const mapped =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(mapped, MAP_FAILED);
        memory = {static_cast<cl_uchar *>(mapped), bytes};
        std::iota(memory.begin(), memory.end(), cl_uchar{0});
    }
    void TearDown() override {
        OpenCL::TearDown();
        unmap();
    }
    void protect(size_t first = 0) {
        ASSERT_EQ(mprotect(&memory[first], bytes - first, PROT_READ), 0);
    }
    void unmap() { munmap(memory.data(), bytes); }

    cl_int map(cl_mem buffer, cl_map_flags flags, size_t offset, size_t size, void **mapped) {
        cl_int code = CL_SUCCESS;
        *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr,
                                     nullptr, &code);
        return code;
    }
    cl_int unmap(cl_mem buffer, void *mapped) {
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, &event), CL_SUCCESS);
        return end_of(event);
    }
    /// The status with which the event ends.
    static cl_int end_of(cl_event event) {
        clWaitForEvents(1, &event);
        const cl_int ended = status(event);
        clReleaseEvent(event);
        return ended;
    }
    /// A kernel increments the bytes from `offset` on.
    void change(cl_mem buffer, size_t offset, size_t size) {
        cl_kernel kernel = make_kernel("kernel void test(global uchar *data, ulong offset) {"
                                       "    ++data[offset + get_global_id(0)]; }");
        set(kernel, 0, buffer);
        set(kernel, 1, cl_ulong{offset});
        clReleaseEvent(launch(queue, kernel, size));
    }

    const size_t bytes = 32 * page;
    std::span<cl_uchar> memory;
};

TEST_F(HostMemory, MappedForReadingIsNotWritten) {
    protect();
    for (const cl_mem_flags more :
         {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY}) {
        cl_mem buffer = make_buffer(bytes, CL_MEM_USE_HOST_PTR | more, memory.data());
        for (const size_t size : {size_t{1}, size_t{64}, page, bytes - 8}) {
            void *mapped = nullptr;
            EXPECT_EQ(map(buffer, CL_MAP_READ, 8, size, &mapped), CL_SUCCESS);
            EXPECT_EQ(mapped, &memory[8]);
            EXPECT_EQ(unmap(buffer, mapped), CL_COMPLETE);
        }
        const cl_buffer_region region{4 * page, page};
        cl_int code = CL_SUCCESS;
        cl_mem window = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        void *mapped = nullptr;
        EXPECT_EQ(map(window, CL_MAP_READ, 0, page, &mapped), CL_SUCCESS);
        EXPECT_EQ(mapped, &memory[4 * page]);
        EXPECT_EQ(unmap(window, mapped), CL_COMPLETE);
        EXPECT_EQ(clReleaseMemObject(window), CL_SUCCESS);
    }
}

TEST_F(HostMemory, IsNotWrittenByReadsCopiesAndMigrations) {
    protect();
    cl_mem buffer = make_buffer(bytes, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, memory.data());
    cl_mem other = make_buffer(bytes, CL_MEM_COPY_HOST_PTR, memory.data());
    EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, bytes, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(
        clEnqueueWriteBuffer(queue, other, CL_TRUE, 0, bytes, memory.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    for (const cl_mem_migration_flags flags :
         {cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST}, cl_mem_migration_flags{0}}) {
        EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &buffer, flags, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
    EXPECT_EQ(contents<cl_uchar>(buffer), std::vector(memory.begin(), memory.end()));
    EXPECT_EQ(contents<cl_uchar>(other), std::vector(memory.begin(), memory.end()));
}

TEST_F(HostMemory, OfAnImageIsNotWritten) {
    protect();
    const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
    for (const size_t row_pitch : {size_t{0}, page / 2}) {
        cl_image_desc shape{};
        shape.image_type = CL_MEM_OBJECT_IMAGE2D;
        shape.image_width = 64;
        shape.image_height = 50;
        shape.image_row_pitch = row_pitch;
        cl_int code = CL_SUCCESS;
        cl_mem image = clCreateImage(context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, &format,
                                     &shape, memory.data(), &code);
        ASSERT_EQ(code, CL_SUCCESS);
        const size_t origin[3] = {3, 1, 0};
        const size_t region[3] = {32, 40, 1};
        size_t pitch = 0;
        void *mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch,
                                         nullptr, 0, nullptr, nullptr, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_EQ(mapped, &memory[pitch + 3]);
        EXPECT_EQ(unmap(image, mapped), CL_COMPLETE);
        EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
    }
}

TEST_F(HostMemory, IsWrittenWhereAKernelChangedItAndNowhereElse) {
    const std::vector<cl_uchar> before(memory.begin(), memory.end());
    protect(3 * page);
    cl_mem buffer = make_buffer(bytes, CL_MEM_USE_HOST_PTR, memory.data());
    change(buffer, page - 2, 4); // across a page boundary
    void *mapped = nullptr;
    EXPECT_EQ(map(buffer, CL_MAP_READ, 0, bytes, &mapped), CL_SUCCESS);
    auto expected = before;
    for (size_t at = page - 2; at < page + 2; ++at)
        ++expected[at];
    EXPECT_EQ(std::vector(memory.begin(), memory.end()), expected);
    EXPECT_EQ(unmap(buffer, mapped), CL_COMPLETE);
    // A kernel's changes can't be shown in read-only memory: an error, but no signal.
    change(buffer, 5 * page, 1);
    EXPECT_NE(map(buffer, CL_MAP_READ, 4 * page, 2 * page, &mapped), CL_SUCCESS);
    EXPECT_EQ(map(buffer, CL_MAP_READ, 8 * page, 2 * page, &mapped), CL_SUCCESS);
    EXPECT_EQ(unmap(buffer, mapped), CL_COMPLETE);
}

TEST_F(HostMemory, ThatIsTooSmallIsRefused) {
    ASSERT_EQ(munmap(&memory[16 * page], 16 * page), 0);
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, memory.data(), &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_HOST_PTR);
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, memory.data(), &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_HOST_PTR);
    const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = page;
    shape.image_height = 32;
    EXPECT_EQ(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &shape, memory.data(), &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_HOST_PTR);
}

TEST_F(HostMemory, ThatIsGoneEndsTheCommandWithAnError) {
    cl_mem buffer = make_buffer(bytes, CL_MEM_USE_HOST_PTR, memory.data());
    cl_mem other = make_buffer(bytes);
    void *mapped = nullptr;
    EXPECT_EQ(map(buffer, CL_MAP_WRITE, 0, bytes, &mapped), CL_SUCCESS);
    unmap();
    EXPECT_LT(unmap(buffer, mapped), 0);
    EXPECT_NE(map(buffer, CL_MAP_READ, 0, bytes, &mapped), CL_SUCCESS);
    EXPECT_NE(
        clEnqueueReadBuffer(queue, other, CL_TRUE, 0, bytes, memory.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    cl_event event = nullptr;
    EXPECT_EQ(
        clEnqueueWriteBuffer(queue, other, CL_FALSE, 0, bytes, memory.data(), 0, nullptr, &event),
        CL_SUCCESS);
    EXPECT_LT(end_of(event), 0);
    EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, bytes, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS); // the device has the contents
}

} // namespace
} // namespace rivulet::test
