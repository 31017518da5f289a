// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "compiler/test/serve_client.h"

namespace rivulet::compiler {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr char isa[] = "rv64gcv";
constexpr char good[] = "kernel void f(global float *a) {\n"
                        "    a[get_global_id(0)] *= 2.0f;\n"
                        "}\n";

RequestFrame build(std::string_view source) {
    return RequestFrame(RVL_FRAME_BUILD).isa(isa).source(source);
}

RequestFrame compile(std::string_view source) {
    return RequestFrame(RVL_FRAME_COMPILE).isa(isa).source(source);
}

RequestFrame link() { return RequestFrame(RVL_FRAME_LINK).isa(isa); }

// Takes clang for ever: 8^12 words.
std::string endless() {
    std::string text;
    for (int i = 0; i < 12; ++i) {
        text += "#define A" + std::to_string(i);
        for (int times = 0; times < 8; ++times)
            text += " A" + std::to_string(i + 1);
        text += "\n";
    }
    return text + "#define A12 x\nkernel void f() { A0 }\n";
}

struct Serve : testing::Test {
    CompileServer server;

    // The test's time limit catches those that stay.
    void wait_for_workers(size_t count) const {
        while (server.workers().size() != count)
            usleep(1000);
    }
};

constexpr char calls_library[] =
    "kernel void f(global float *a) { a[get_global_id(0)] = sin(a[get_global_id(0)]); }";

// A server of its own, which finds another built-in library beside it.
struct BrokenLibrary : testing::Test {
    fs::path folder, archive;
    std::string whole;

    void SetUp() override {
        std::string path = testing::TempDir() + "rivulet-library-XXXXXX";
        ASSERT_TRUE(mkdtemp(path.data()));
        folder = path;
        archive = folder / "lib/rivulet/library/builtins64.a";
        fs::create_directories(folder / "bin");
        fs::create_directories(archive.parent_path());
        fs::copy_file(RIVULET_CC, folder / "bin/rivulet-cc");
        std::ifstream file(fs::path(RIVULET_CC).parent_path().parent_path() /
                               "lib/rivulet/library/builtins64.a",
                           std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(file), {});
        ASSERT_GT(whole.size(), 1'000'000u);
    }
    void TearDown() override { fs::remove_all(folder); }

    void expect_failure(const std::string &library) const {
        std::ofstream(archive, std::ios::binary) << library;
        CompileServer server(folder / "bin/rivulet-cc");
        for (int i = 0; i < 2; ++i) {
            const Reply reply = server.run(build(calls_library));
            EXPECT_NE(reply.status, RVL_COMPILE_OK);
            EXPECT_THAT(reply.text, testing::AnyOf(HasSubstr("built-in library"),
                                                   HasSubstr("the compiler failed")));
        }
    }
};

TEST_F(BrokenLibrary, IsAFailureWithALog) {
    fs::remove(archive);
    Reply absent = CompileServer(folder / "bin/rivulet-cc").run(build(calls_library));
    EXPECT_EQ(absent.status, RVL_COMPILE_FAILED);
    EXPECT_THAT(absent.text, HasSubstr("builtins64.a: No such file"));
    expect_failure("");
    expect_failure("junk");
    expect_failure(whole.substr(0, whole.size() / 2));
    std::string damaged = whole; // members, the index in front of them is whole
    for (size_t at = damaged.size() / 4; at < damaged.size(); at += 7)
        damaged[at] ^= 0x55;
    expect_failure(damaged);
}

TEST_F(BrokenLibrary, WholeOneIsFound) {
    std::ofstream(archive, std::ios::binary) << whole;
    EXPECT_EQ(CompileServer(folder / "bin/rivulet-cc").run(build(calls_library)).status,
              RVL_COMPILE_OK);
}

TEST_F(Serve, BuildsAnImage) {
    Reply reply = server.run(build(good));
    EXPECT_EQ(reply.status, RVL_COMPILE_OK);
    EXPECT_THAT(reply.text, IsEmpty());
    EXPECT_THAT(reply.bytes, StartsWith("\x7f"
                                        "ELF"));
}

TEST_F(Serve, PingTellsTheVersion) {
    Reply reply = server.run(RequestFrame(RVL_FRAME_PING));
    EXPECT_EQ(reply.status, RVL_COMPILE_OK);
    EXPECT_THAT(reply.text, StartsWith("rivulet-cc "));
}

TEST_F(Serve, ErrorsOfTheSourceAreInTheLog) {
    Reply reply = server.run(build("kernel void f( {"));
    EXPECT_EQ(reply.status, RVL_COMPILE_FAILED);
    EXPECT_THAT(reply.text, StartsWith("program.cl:1:16: error: expected parameter declarator\n"));
    EXPECT_THAT(reply.text, EndsWith("errors generated.\n"));
}

TEST_F(Serve, BadOptionsAreTold) {
    Reply reply = server.run(build(good).options("-nonsense"));
    EXPECT_EQ(reply.status, RVL_COMPILE_BAD_OPTIONS);
    EXPECT_THAT(reply.text, HasSubstr("unknown option '-nonsense'"));
}

TEST_F(Serve, BadTargetIsTold) {
    Reply reply = server.run(RequestFrame(RVL_FRAME_BUILD).isa("mips").source(good));
    EXPECT_EQ(reply.status, RVL_COMPILE_BAD_TARGET);
    EXPECT_THAT(reply.text, HasSubstr("mips"));
}

TEST_F(Serve, HeadersOfTheRequestAreFound) {
    using namespace std::string_view_literals;
    auto request = build("#include \"a/b.h\"\nkernel void f(global int *a) { a[0] = VALUE; }");
    request.field(RVL_FIELD_HEADER, "a/b.h\0#include \"c.h\"\n"sv);
    request.field(RVL_FIELD_HEADER, "a/c.h\0#define VALUE 3\n"sv);
    Reply reply = server.run(request);
    EXPECT_EQ(reply.status, RVL_COMPILE_OK) << reply.text;
}

TEST_F(Serve, ObjectsAndLibrariesLink) {
    Reply part = server.run(compile("int twice(int x) { return 2 * x; }"));
    Reply kernel = server.run(
        compile("int twice(int x); kernel void f(global int *a) { a[0] = twice(a[1]); }"));
    ASSERT_EQ(part.status, RVL_COMPILE_OK);
    ASSERT_EQ(kernel.status, RVL_COMPILE_OK);
    auto objects = link().field(RVL_FIELD_OBJECT, part.bytes).field(RVL_FIELD_OBJECT, kernel.bytes);
    EXPECT_EQ(server.run(objects).status, RVL_COMPILE_OK);
    Reply library =
        server.run(link().options("-create-library").field(RVL_FIELD_OBJECT, part.bytes));
    ASSERT_EQ(library.status, RVL_COMPILE_OK);
    Reply image = server.run(
        link().field(RVL_FIELD_OBJECT, library.bytes).field(RVL_FIELD_OBJECT, kernel.bytes));
    EXPECT_EQ(image.status, RVL_COMPILE_OK) << image.text;
    Reply missing = server.run(link().field(RVL_FIELD_OBJECT, kernel.bytes));
    EXPECT_EQ(missing.status, RVL_COMPILE_FAILED);
    EXPECT_THAT(missing.text, HasSubstr("undefined function 'twice'"));
}

TEST_F(Serve, LinkingJunkIsABadRequest) {
    Reply reply = server.run(link().field(RVL_FIELD_OBJECT, "junk"));
    EXPECT_EQ(reply.status, RVL_COMPILE_BAD_REQUEST);
    EXPECT_EQ(server.run(link()).status, RVL_COMPILE_BAD_REQUEST);
}

TEST_F(Serve, AddressesBecomeLines) {
    Reply image = server.run(build(good));
    ASSERT_EQ(image.status, RVL_COMPILE_OK);
    bool found = false;
    for (uint64_t address = 0; address < image.bytes.size() && !found; address += 2) {
        std::string bytes(reinterpret_cast<const char *>(&address), sizeof address);
        Reply place = server.run(RequestFrame(RVL_FRAME_SYMBOLIZE)
                                     .field(RVL_FIELD_IMAGE, image.bytes)
                                     .field(RVL_FIELD_ADDRESS, bytes));
        found = place.status == RVL_COMPILE_OK && place.text == "f at program.cl:2";
        address += found ? 0 : 14;
    }
    EXPECT_TRUE(found);
    Reply junk = server.run(RequestFrame(RVL_FRAME_SYMBOLIZE).field(RVL_FIELD_IMAGE, "junk"));
    EXPECT_EQ(junk.status, RVL_COMPILE_FAILED);
}

TEST_F(Serve, JobsRunSideBySide) {
    JobSocket waiting = server.open_job(); // its worker waits for the request
    JobSocket first = server.start(build(good)), second = server.start(build(good));
    EXPECT_EQ(first.reply()->status, RVL_COMPILE_OK);
    EXPECT_EQ(second.reply()->status, RVL_COMPILE_OK);
    waiting.send(build(good).bytes());
    EXPECT_EQ(waiting.reply()->status, RVL_COMPILE_OK);
}

TEST_F(Serve, CrashEndsOneJobAndNamesThePhase) {
    Reply crash = server.run(build("#pragma clang __debug crash\n"));
    EXPECT_EQ(crash.status, RVL_COMPILE_CRASHED);
    EXPECT_THAT(crash.text, HasSubstr("the compiler failed, during front end: signal SIG"));
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

TEST_F(Serve, FatalErrorOfLlvmIsTold) {
    Reply reply = server.run(build("#pragma clang __debug llvm_fatal_error\n"));
    EXPECT_EQ(reply.status, RVL_COMPILE_CRASHED);
    EXPECT_THAT(reply.text, HasSubstr("llvm_fatal_error"));
}

TEST_F(Serve, EndlessCompilationEndsAtItsLimit) {
    Reply reply = server.run(build(endless()).limits(1, 0));
    EXPECT_EQ(reply.status, RVL_COMPILE_CRASHED);
    EXPECT_THAT(reply.text, HasSubstr("more than 1 s of processor time"));
}

TEST_F(Serve, MemoryEndsAtItsLimit) {
    Reply reply = server.run(build(endless()).limits(60, 50 << 20));
    EXPECT_EQ(reply.status, RVL_COMPILE_CRASHED);
    EXPECT_THAT(reply.text, HasSubstr("ran out of memory (limit: 50 MiB)"));
}

TEST_F(Serve, ClosingTheSocketCancelsTheJob) {
    {
        JobSocket job = server.start(build(endless()));
    }
    wait_for_workers(0);
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

TEST_F(Serve, OneWorkerStaysForLaterJobs) {
    JobSocket first = server.start(build(good)), second = server.start(build(good));
    EXPECT_EQ(first.reply()->status, RVL_COMPILE_OK);
    EXPECT_EQ(second.reply()->status, RVL_COMPILE_OK);
    wait_for_workers(1);
    const auto before = server.workers();
    Reply reply = server.run(build(good));
    EXPECT_EQ(reply.status, RVL_COMPILE_OK);
    EXPECT_THAT(server.workers(), Contains(before[0]));
}

TEST_F(Serve, LaterJobsInAWorkerGetTheSameCode) {
    const Reply first = server.run(build(good));
    for (const char *other : {"kernel void f( {", good,
                              "kernel void g(global double *a) {"
                              " a[get_global_id(0)] = sin(a[0]); }"})
        server.run(build(other));
    EXPECT_EQ(server.run(build(good)).bytes, first.bytes);
    EXPECT_EQ(CompileServer().run(build(good)).bytes, first.bytes);
}

TEST_F(Serve, OptionsOfEarlierJobsAreForgotten) {
    const char *source = "kernel void f(global float *a) { a[0] = a[1] / a[2] + N; }";
    for (const char *options :
         {"-DN=1", "-DN=1", "-DN=1", "-DN=2", "-DN=2", "-cl-std=CL3.0 -DN=2", "-cl-std=CL3.0 -DN=2",
          "-cl-fast-relaxed-math -DN=2", "-cl-fast-relaxed-math -DN=2", "-DN=2"})
        EXPECT_EQ(server.run(build(source).options(options)).bytes,
                  CompileServer().run(build(source).options(options)).bytes)
            << options;
    const std::string log = server.run(build(source)).text;
    EXPECT_THAT(log, StartsWith("program.cl:1:55: error: use of undeclared identifier 'N'\n"));
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(server.run(build(source)).text, log) << i;
}

TEST_F(Serve, LimitsAreOfOneJob) {
    EXPECT_EQ(server.run(build(good).limits(60, 200 << 20)).status, RVL_COMPILE_OK);
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(server.run(build(good).limits(1, 200 << 20)).status, RVL_COMPILE_OK) << i;
    EXPECT_EQ(server.run(build(endless()).limits(1, 0)).status, RVL_COMPILE_CRASHED);
}

TEST_F(Serve, KilledWorkerIsOneFailedJob) {
    JobSocket job = server.start(build(endless()));
    wait_for_workers(1);
    kill(server.workers()[0], SIGKILL);
    auto reply = job.reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, RVL_COMPILE_CRASHED);
    EXPECT_THAT(reply->text, HasSubstr("signal SIGKILL"));
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

TEST_F(Serve, KilledIdleWorkerIsReplaced) {
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
    wait_for_workers(1);
    kill(server.workers()[0], SIGKILL);
    wait_for_workers(0);
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

TEST_F(Serve, EndOfInputEndsServerAndJobs) {
    JobSocket job = server.start(build(endless()));
    EXPECT_EQ(server.end(), 0);
    EXPECT_FALSE(job.reply());
}

TEST_F(Serve, WhatIsNoFrameIsRefused) {
    JobSocket job = server.open_job();
    job.send("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
    auto reply = job.reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, RVL_COMPILE_BAD_REQUEST);
    EXPECT_THAT(reply->text, HasSubstr("no frame"));
}

TEST_F(Serve, OtherVersionIsRefused) {
    std::string bytes = build(good).bytes();
    bytes[6] = 9; // major
    JobSocket job = server.open_job();
    job.send(bytes);
    auto reply = job.reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, RVL_COMPILE_BAD_REQUEST);
    EXPECT_THAT(reply->text, HasSubstr("version 9.0 of the protocol"));
}

TEST_F(Serve, TruncatedFramesAreRefused) {
    const std::string whole = build(good).bytes();
    for (size_t bytes : {size_t{0}, size_t{10}, sizeof(rvl_frame), whole.size() - 1}) {
        JobSocket job = server.open_job();
        job.send(whole.substr(0, bytes));
        job.end_sending();
        auto reply = job.reply();
        ASSERT_TRUE(reply) << bytes;
        EXPECT_EQ(reply->status, RVL_COMPILE_BAD_REQUEST) << bytes;
        EXPECT_THAT(reply->text, HasSubstr("ends"));
    }
}

TEST_F(Serve, FieldsBeyondTheFrameAreRefused) {
    std::string bytes = build(good).bytes();
    bytes[sizeof(rvl_frame) + 8 + 5] = 1; // the first field's length: 2^40 more
    JobSocket job = server.open_job();
    job.send(bytes);
    EXPECT_EQ(job.reply()->status, RVL_COMPILE_BAD_REQUEST);
}

TEST_F(Serve, HugeFramesAreRefusedUnread) {
    rvl_frame frame = {RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, RVL_FRAME_BUILD, 0, ~uint64_t{0}};
    JobSocket job = server.open_job();
    job.send({reinterpret_cast<const char *>(&frame), sizeof frame});
    EXPECT_EQ(job.reply()->status, RVL_COMPILE_BAD_REQUEST);
}

TEST_F(Serve, UnknownKindIsRefused) {
    Reply reply = server.run(RequestFrame(static_cast<rvl_frame_kind>(99)));
    EXPECT_EQ(reply.status, RVL_COMPILE_BAD_REQUEST);
}

TEST_F(Serve, MessageWithoutASocketIsIgnored) {
    server.send_without_socket();
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

} // namespace
} // namespace rivulet::compiler
