// SPDX-License-Identifier: Apache-2.0
//
// Versions of kernels for how they are launched: they are used, and nothing else tells them from
// the general version. KernelVersions runs with RIVULET_KERNEL_VERSIONS=wait, KernelVersionsEarly
// with early; what the library logs tells which versions it builds.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "tests/api/on_device.h"

namespace rivulet::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char *source = R"(
kernel void test(global const int *in, global int *out, local int *sums, int scale) {
    local int base[4];
    size_t l = get_local_linear_id();
    size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    size_t g = get_global_linear_id();
    if (l < 4)
        base[l] = scale * (int)l;
    sums[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = base[l % min(n, (size_t)4)];
    for (size_t i = 0; i <= l; ++i)
        sum += sums[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = sum + (int)get_enqueued_local_size(0);
}
kernel void other(global int *out) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = (int)get_local_size(0);
})";
constexpr const char *options = "-cl-std=CL3.0";

/// What `test` above gives for one dimension.
std::vector<int> expected(const std::vector<int> &in, size_t local, int scale) {
    std::vector<int> out(in.size());
    for (size_t first = 0; first < in.size(); first += local) {
        const size_t items = std::min(local, in.size() - first);
        int sum = 0;
        for (size_t l = 0; l < items; ++l) {
            sum += in[first + l];
            out[first + l] = sum + scale * static_cast<int>(l % std::min<size_t>(items, 4)) +
                             static_cast<int>(local);
        }
    }
    return out;
}

class KernelVersions : public OnDevice {
protected:
    static constexpr size_t items = 1000;
    const std::vector<int> in = iota<int>(items, 5);
    cl::Buffer in_buffer = buffer(in);
    cl::Buffer out_buffer = buffer(std::vector<int>(items));

    void set_arguments(cl::Kernel &kernel, size_t local, int scale = 3) {
        kernel.setArg(0, in_buffer);
        kernel.setArg(1, out_buffer);
        kernel.setArg(2, local * sizeof(int), nullptr);
        kernel.setArg(3, scale);
    }
    void expect_right(cl::Kernel &kernel, size_t local, int scale = 3) {
        set_arguments(kernel, local, scale);
        queue.enqueueFillBuffer(out_buffer, 0, 0, items * sizeof(int));
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(local));
        EXPECT_EQ(read<int>(out_buffer, items), expected(in, local, scale)) << local;
    }
    /// What the library logs of versions meanwhile.
    static std::string logged(const std::function<void()> &body) {
        testing::internal::CaptureStderr();
        body();
        std::istringstream all(testing::internal::GetCapturedStderr());
        std::string log;
        for (std::string line; std::getline(all, line);)
            if (line.find(" version for ") != line.npos)
                log += line + "\n";
        return log;
    }
    static std::string ready(size_t local) {
        return "the version for local size " + std::to_string(local) + ",1,1 is ready";
    }
};

TEST_F(KernelVersions, GiveTheSameResultsForEachLocalSize) {
    for (const size_t local : {1, 7, 32, 256}) {
        cl::Kernel kernel = this->kernel(source, "test", options);
        EXPECT_THAT(logged([&] { expect_right(kernel, local); }), HasSubstr(ready(local)));
        EXPECT_EQ(logged([&] { expect_right(kernel, local, -2); }), "");
    }
}

TEST_F(KernelVersions, AreForAllDimensions) {
    cl::Kernel kernel = this->kernel(source, "other", options);
    kernel.setArg(0, out_buffer);
    for (const auto &[x, y] : {std::pair<size_t, size_t>(5, 4), {4, 5}, {20, 1}}) {
        const std::string log = logged([&] {
            queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(20, 20), cl::NDRange(x, y));
            queue.finish();
        });
        EXPECT_THAT(log, HasSubstr("the version for local size " + std::to_string(x) + "," +
                                   std::to_string(y)));
        EXPECT_THAT(read<int>(out_buffer, 20), testing::Each(static_cast<int>(x)));
    }
}

TEST_F(KernelVersions, AreForTheSizeThatTheLibraryChooses) {
    cl::Kernel kernel = this->kernel(source, "other", options);
    kernel.setArg(0, out_buffer);
    EXPECT_THAT(logged([&] { launch(kernel, 512).wait(); }), HasSubstr("is ready"));
    size_t local = 0;
    size_t global = 512;
    EXPECT_EQ(EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR)(queue(), kernel(), 1, nullptr,
                                                              &global, &local),
              CL_SUCCESS);
    EXPECT_EQ(read<int>(out_buffer, 1)[0], static_cast<int>(local));
}

TEST_F(KernelVersions, AreFourOfAKernelAtMost) {
    cl::Kernel kernel = this->kernel(source, "test", options);
    for (size_t local = 2; local < 10; ++local) {
        const std::string log = logged([&] { expect_right(kernel, local); });
        EXPECT_EQ(log.find("is ready") != log.npos, local < 6) << log;
    }
}

TEST_F(KernelVersions, BelongToTheProgramAndAreNotQueried) {
    const cl::Program program = build(source, options);
    cl::Kernel first(program, "test");
    EXPECT_THAT(logged([&] { expect_right(first, 64); }), HasSubstr(ready(64)));
    cl::Kernel second(program, "test");
    cl::Kernel third = first.clone();
    EXPECT_EQ(logged([&] {
                  expect_right(second, 64);
                  expect_right(third, 64);
              }),
              "");
    const auto size = first.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
    EXPECT_EQ(size[0], 0u);
    EXPECT_EQ(first.getInfo<CL_KERNEL_ATTRIBUTES>(), "");
    EXPECT_EQ(program.getInfo<CL_PROGRAM_NUM_KERNELS>(), 2u);
}

TEST_F(KernelVersions, AreForProgramsFromBinariesWithSource) {
    const auto binary = build(source, options).getInfo<CL_PROGRAM_BINARIES>().at(0);
    cl::Program program(context, {device}, {binary});
    program.build(device);
    cl::Kernel kernel(program, "test");
    EXPECT_THAT(logged([&] { expect_right(kernel, 64); }), HasSubstr(ready(64)));
}

TEST_F(KernelVersions, RunInCommandBuffersAndOutOfOrder) {
    const cl::CommandQueue free(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl::Kernel kernel = this->kernel(source, "test", options);
    set_arguments(kernel, 16);
    cl_int code = 1;
    const cl_command_buffer_khr commands =
        EXTENSION(clCreateCommandBufferKHR)(1, &free(), nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const size_t local = 16;
    EXPECT_EQ(COMMAND(clCommandNDRangeKernelKHR)(commands, nullptr, nullptr, kernel(), 1, nullptr,
                                                 &items, &local, 0, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    EXTENSION(clFinalizeCommandBufferKHR)(commands);
    const auto enqueue = EXTENSION(clEnqueueCommandBufferKHR);
    kernel = {}; // neither it nor the program is needed any more
    EXPECT_THAT(logged([&] {
                    for (int i = 0; i < 3; ++i)
                        EXPECT_EQ(enqueue(0, nullptr, commands, 0, nullptr, nullptr), CL_SUCCESS);
                    free.finish();
                }),
                HasSubstr(ready(16)));
    EXPECT_EQ(read<int>(out_buffer, items), expected(in, 16, 3));
    EXPECT_EQ(EXTENSION(clReleaseCommandBufferKHR)(commands), CL_SUCCESS);
}

TEST_F(KernelVersions, AreBuiltOnceForSeveralThreads) {
    const cl::Program program = build(source, options);
    const std::string log = logged([&] {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                const cl::CommandQueue own(context, device);
                const cl::Buffer out = buffer(std::vector<int>(items));
                cl::Kernel kernel(program, "test");
                set_arguments(kernel, 50);
                kernel.setArg(1, out);
                own.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(50));
                own.finish();
                EXPECT_EQ(read<int>(out, items), expected(in, 50, 3));
            });
        for (std::thread &thread : threads)
            thread.join();
    });
    EXPECT_THAT(log, HasSubstr(ready(50)));
    EXPECT_EQ(log.find(ready(50)), log.rfind(ready(50)));
}

TEST_F(KernelVersions, AreForLinkedPrograms) {
    cl::Program header(context, "int scaled(int a) { return a * (int)get_local_size(0); }");
    cl::Program main(context, R"(
        int scaled(int a);
        kernel void test(global const int *in, global int *out, local int *sums, int scale) {
            sums[get_local_id(0)] = in[get_global_id(0)];
            barrier(CLK_LOCAL_MEM_FENCE);
            out[get_global_id(0)] = scaled(sums[get_local_size(0) - 1 - get_local_id(0)]) + scale;
        })");
    header.compile(options);
    main.compile(options);
    cl::Program program = cl::linkProgram({header, main});
    cl::Kernel kernel(program, "test");
    header = main = program = {};
    for (const size_t local : {50, 8}) {
        set_arguments(kernel, local);
        EXPECT_THAT(logged([&] {
                        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items),
                                                   cl::NDRange(local));
                        queue.finish();
                    }),
                    HasSubstr(ready(local)));
        const auto out = read<int>(out_buffer, items);
        for (size_t i = 0; i < items; ++i)
            ASSERT_EQ(out[i],
                      in[i / local * local + local - 1 - i % local] * static_cast<int>(local) + 3)
                << local << " " << i;
    }
}

/// A folder with a file that programs include.
class Folder {
public:
    Folder() {
        std::string path = std::filesystem::temp_directory_path() / "rivulet-XXXXXX";
        path_ = mkdtemp(path.data());
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    void write(const std::string &text) const { std::ofstream(path_ / "part.h") << text; }
    [[nodiscard]] const std::filesystem::path &path() const { return path_; }

private:
    std::filesystem::path path_;
};

TEST_F(KernelVersions, OfProgramsThatIncludeFilesHoldNoDescriptors) {
    const Folder folder;
    folder.write("#define NUMBER 7\n");
    const std::string both = std::string(options) + " -I " + folder.path().string();
    const auto descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    std::vector<cl::Kernel> kernels;
    const auto build = [&] {
        kernels.push_back(kernel(R"(
            #include "part.h"
            kernel void test(global int *out) {
                barrier(CLK_GLOBAL_MEM_FENCE);
                out[get_global_id(0)] = (int)get_local_size(0) + NUMBER;
            })",
                                 "test", both.c_str()));
    };
    build(); // starts the compiler
    const auto before = descriptors();
    build();
    build();
    EXPECT_EQ(descriptors(), before);
}

// A version of other source would have other results.
TEST_F(KernelVersions, AreForProgramsWhoseIncludedFilesAreTheSame) {
    const Folder folder;
    const std::string header = "#define NUMBER 7\n";
    folder.write(header);
    const auto before = std::filesystem::last_write_time(folder.path() / "part.h");
    const std::string both = std::string(options) + " -I " + folder.path().string();
    cl::Kernel kernel = this->kernel(R"(
        #include "part.h"
        kernel void test(global int *out) {
            barrier(CLK_GLOBAL_MEM_FENCE);
            out[get_global_id(0)] = (int)get_local_size(0) + NUMBER;
        })",
                                     "test", both.c_str());
    kernel.setArg(0, out_buffer);
    const auto run = [&](size_t local) {
        return logged([&] {
            queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(200), cl::NDRange(local));
            EXPECT_EQ(read<int>(out_buffer, 200),
                      std::vector<int>(200, 7 + static_cast<int>(local)));
        });
    };
    EXPECT_THAT(run(10), HasSubstr(ready(10)));
    folder.write("#define NUMBER 8\n");
    std::filesystem::last_write_time(folder.path() / "part.h", before);
    EXPECT_THAT(run(20), HasSubstr("no version for local size 20,1,1: the files that it includes "
                                   "have changed"));
    EXPECT_EQ(run(10), "");
    folder.write(header);
    EXPECT_THAT(run(40), HasSubstr(ready(40)));
    std::filesystem::remove(folder.path() / "part.h");
    EXPECT_THAT(run(50), HasSubstr("no version for local size 50,1,1"));
}

TEST_F(KernelVersions, AreFreedWhenDeviceMemoryIsShort) {
    cl::Kernel kernel = this->kernel(source, "test", options);
    EXPECT_THAT(logged([&] { expect_right(kernel, 64); }), HasSubstr(ready(64)));
    const size_t most = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    const std::string log = logged([&] {
        std::vector<cl::Buffer> all;
        EXPECT_EQ(status_of([&] {
                      for (;;)
                          all.emplace_back(context, CL_MEM_READ_WRITE, most);
                  }),
                  CL_MEM_OBJECT_ALLOCATION_FAILURE);
    });
    EXPECT_THAT(log, HasSubstr("kernel test: the version for local size 64,1,1 is freed"));
    EXPECT_THAT(logged([&] { expect_right(kernel, 64); }), HasSubstr(ready(64)));
}

// A version would count in a variable of its own.
TEST_F(KernelVersions, AreNotForProgramsWithVariables) {
    cl::Kernel kernel = this->kernel(R"(
        global int launches;
        kernel void test(global int *out) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (get_local_id(0) == 0)
                out[0] = ++launches;
        })",
                                     "test", options);
    kernel.setArg(0, out_buffer);
    for (const size_t local : {2, 4, 2})
        EXPECT_EQ(logged([&] {
                      queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(local),
                                                 cl::NDRange(local));
                      queue.finish();
                  }),
                  "");
    EXPECT_EQ(read<int>(out_buffer, 1)[0], 3);
}

TEST_F(KernelVersions, LeaveTheGeneralVersionIfTheyFail) {
    for (const std::string more : {"-cl-mad-enable", "-cl-no-signed-zeros"}) {
        const std::string both = std::string(options) + " " + more;
        cl::Kernel kernel = this->kernel("kernel void scale(global float *a) {"
                                         "    barrier(CLK_GLOBAL_MEM_FENCE);"
                                         "    a[get_global_id(0)] = a[get_global_id(0)] * 2 + 1;"
                                         "}" +
                                             std::string(source),
                                         "test", both.c_str());
        EXPECT_THAT(logged([&] { expect_right(kernel, 64); }),
                    HasSubstr("no version for local size 64,1,1"));
        EXPECT_EQ(logged([&] { expect_right(kernel, 64); }), "") << "it isn't tried again";
    }
}

TEST_F(KernelVersions, PrintWithTheirOwnFormats) {
    cl::Kernel kernel = this->kernel(R"(
        kernel void unused(global int *out) { printf("another %d\n", out[0]); }
        kernel void test(global int *out) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (get_global_id(0) == 0)
                printf("size %d of %s\n", (int)get_local_size(0), "all");
        })",
                                     "test", options);
    kernel.setArg(0, out_buffer);
    testing::internal::CaptureStdout();
    EXPECT_THAT(logged([&] {
                    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(64), cl::NDRange(8));
                    queue.finish();
                }),
                HasSubstr(ready(8)));
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "size 8 of all\n");
}

TEST_F(KernelVersions, AreForTheFormatsOfImagesAndTheModesOfSamplers) {
    constexpr size_t width = 37, height = 5;
    cl::Kernel kernel = this->kernel(R"(
        float4 texel(read_only image2d_t in, sampler_t sampler, int x, int y) {
            return read_imagef(in, sampler, (int2)(x, y));
        }
        kernel void test(read_only image2d_t in, sampler_t sampler, global float4 *out,
                         write_only image2d_t copy) {
            int x = get_global_id(0), y = get_global_id(1);
            out[y * get_global_size(0) + x] = texel(in, sampler, x - 1, y);
            write_imagef(copy, (int2)(x, y), read_imagef(in, (int2)(x, y)));
        })",
                                     "test", options);
    const cl::Buffer out = buffer(std::vector<cl_float4>(width * height));
    const struct {
        cl_channel_order order;
        const char *label;
        std::vector<size_t> channels; // of red, green, blue and alpha; 4: none, 5: 1.0
    } formats[] = {{CL_RGBA, "image 0 0x10b5 0x10d2", {0, 1, 2, 3}},
                   {CL_BGRA, "image 0 0x10b6 0x10d2", {2, 1, 0, 3}},
                   {CL_R, "image 0 0x10b0 0x10d2", {0, 4, 4, 5}}};
    for (const auto &[order, label, channels] : formats) {
        const size_t bytes = order == CL_R ? 1 : 4;
        std::vector<cl_uchar> texels(width * height * bytes);
        for (size_t i = 0; i < texels.size(); ++i)
            texels[i] = static_cast<cl_uchar>(i * 7);
        const cl::ImageFormat format(order, CL_UNORM_INT8);
        const cl::Image2D in_image(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, width,
                                   height, 0, texels.data());
        const cl::Image2D copy(context, CL_MEM_READ_WRITE, format, width, height);
        const cl::Sampler sampler(context, CL_FALSE,
                                  order == CL_R ? CL_ADDRESS_CLAMP_TO_EDGE : CL_ADDRESS_CLAMP,
                                  CL_FILTER_NEAREST);
        kernel.setArg(0, in_image);
        kernel.setArg(1, sampler);
        kernel.setArg(2, out);
        kernel.setArg(3, copy);
        const auto run = [&] {
            queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(width, height));
            queue.finish();
        };
        EXPECT_THAT(logged(run), HasSubstr(std::string("the version for ") + label));
        EXPECT_EQ(logged(run), "");
        const auto read_out = read<cl_float4>(out, width * height);
        for (size_t i = 0; i < width * height; ++i)
            for (size_t c = 0; c < 4; ++c) {
                const bool is_border = i % width == 0;
                const size_t at = is_border ? i : i - 1; // clamped to the edge
                const float stored =
                    channels[c] == 4 ? 0.0f
                    : channels[c] == 5
                        ? 1.0f
                        : static_cast<float>(texels[at * bytes + channels[c]]) * (1.0f / 255.0f);
                ASSERT_EQ(read_out[i].s[c], is_border && order != CL_R ? 0.0f : stored)
                    << label << " " << i << " " << c;
            }
        std::vector<cl_uchar> copied(texels.size());
        queue.enqueueReadImage(copy, CL_TRUE, {0, 0, 0}, {width, height, 1}, 0, 0, copied.data());
        EXPECT_EQ(copied, texels);
    }
}

/// Standard error in a file, which can be read meanwhile.
class StandardError {
public:
    StandardError() { dup2(fileno(file_.get()), STDERR_FILENO); }
    StandardError(const StandardError &) = delete;
    StandardError &operator=(const StandardError &) = delete;
    ~StandardError() {
        dup2(before_, STDERR_FILENO);
        close(before_);
    }
    [[nodiscard]] bool has(const std::string &line) const { return count(line) != 0; }
    [[nodiscard]] size_t count(const std::string &line) const {
        std::string text(size_t{1} << 16, '\0');
        const ssize_t size = pread(fileno(file_.get()), text.data(), text.size(), 0);
        text.resize(static_cast<size_t>(std::max<ssize_t>(size, 0)));
        size_t found = 0;
        for (size_t at = text.find(line); at != text.npos; at = text.find(line, at + 1))
            ++found;
        return found;
    }

private:
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file_{std::tmpfile(), std::fclose};
    const int before_ = dup(STDERR_FILENO);
};

class KernelVersionsEarly : public KernelVersions {};

// What the builds leave is for other programs only; sanitizers see whether it leaks.
TEST_F(KernelVersionsEarly, AreGivenUpWithTheirContext) {
    constexpr size_t contexts = 4;
    const std::string version = "the version for local size 10,1,1 ";
    const auto until = [](const auto &due) {
        while (!due())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    const StandardError log;
    for (size_t i = 0; i < contexts; ++i) {
        const cl::Context own(device);
        const cl::CommandQueue own_queue(own, device);
        cl::Program program(own, source + std::string(i, ' '));
        program.build(device, options);
        cl::Kernel kernel(program, "other");
        const cl::Buffer out(own, CL_MEM_READ_WRITE, items * sizeof(int));
        kernel.setArg(0, out);
        own_queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(10));
        own_queue.finish();
        until([&] { return log.count(version + "is being built") > i; });
    }
    const std::string released = version + "is not loaded: the program has been released";
    until([&] { return log.count(released) + log.count(version + "is ready") == contexts; });
    EXPECT_GT(log.count(released), 0u) << "no context ended while its version was built";
    expect_healthy();
}

TEST_F(KernelVersionsEarly, TakeOverWhileLaunchesRun) {
    cl::Kernel kernel = this->kernel(source, "test", options);
    const auto one_round = [&] {
        for (const size_t local : {8, 40, 8})
            expect_right(kernel, local);
    };
    const StandardError log;
    while (!log.has(ready(8)) || !log.has(ready(40)))
        one_round();
    one_round();
}

} // namespace
} // namespace rivulet::test
