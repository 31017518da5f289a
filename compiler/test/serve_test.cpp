// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "compiler/serve/serve.h"
#include "compiler/serve/worker.h"
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

// 8^12 words take clang for ever.
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

// A separate server, which finds another built-in library relative to itself.
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

TEST_F(Serve, CoreOfTheDeviceIsWhatCodeIsTunedFor) {
    const auto object = [&](std::string_view core, std::string_view options) {
        Reply reply = server.run(compile(good).field(RVL_FIELD_CORE, core).options(options));
        EXPECT_EQ(reply.status, RVL_COMPILE_OK) << reply.text;
        return reply.bytes;
    };
    const std::string general = server.run(compile(good)).bytes;
    const std::string tuned = object("", "-mcpu=spacemit-x60");
    EXPECT_NE(tuned, general);
    EXPECT_EQ(object("spacemit,x60", ""), tuned);
    EXPECT_EQ(object("sifive,x280", "-mcpu=spacemit-x60"), tuned);
    EXPECT_EQ(object("spacemit,x60", "-mcpu=generic"), general);
    // Devices may have any core, and their firmware may name it in any way.
    EXPECT_EQ(object("thead,c908", ""), general);
    EXPECT_EQ(object("\xff\"", ""), general);
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
        Reply reply = server.run(RequestFrame(RVL_FRAME_SYMBOLIZE)
                                     .field(RVL_FIELD_IMAGE, image.bytes)
                                     .field(RVL_FIELD_ADDRESS, bytes));
        found = reply.status == RVL_COMPILE_OK && reply.text == "f at program.cl:2";
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

// LLVM keeps the symbols of numeric labels beyond their memory.
TEST_F(Serve, LabelsOfEarlierJobsAreForgotten) {
    auto assembly = [](const std::string &lines) {
        return "kernel void f(global ulong *o) { ulong z; __asm__ volatile(\"" + lines +
               "\" : \"=&r\"(z) : \"r\"(o) : \"memory\"); }";
    };
    const std::string loop = assembly("1: addi %0, %0, 64; sd zero, 0(%0); j 1b");
    const std::string ahead = assembly("2: lr.w %0, (%1); bnez %0, 1f; j 2b; 1: nop");
    const std::string at_file_scope = "__asm__(\".text; 1: j 1b; 2: j 1b\");" + std::string(good);
    const std::string expected[] = {CompileServer().run(build(loop)).bytes,
                                    CompileServer().run(build(ahead)).bytes};
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(server.run(build(loop)).bytes, expected[0]) << i;
        EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK) << i;
        EXPECT_EQ(server.run(build(ahead)).bytes, expected[1]) << i;
        EXPECT_EQ(server.run(build(loop)).bytes, expected[0]) << i;
        EXPECT_EQ(server.run(build(at_file_scope)).status, RVL_COMPILE_OK) << i;
    }
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
    const std::string minor = std::to_string(RVL_VERSION_MINOR(RVL_COMPILE_VERSION));
    EXPECT_THAT(reply->text, HasSubstr("version 9." + minor + " of the protocol"));
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

// Plays a compiler gone wild, which may leave anything where its parent looks for the cause of its
// death. The worker has a job, and waits for its request.
void scribble_over_last_words(pid_t worker) {
    const std::string process = "/proc/" + std::to_string(worker);
    std::ifstream map(process + "/maps");
    std::string line;
    while (std::getline(map, line) && !line.contains("rw-s"))
        ;
    ASSERT_TRUE(map) << "no memory that both see";
    const int memory = open((process + "/mem").c_str(), O_RDWR | O_CLOEXEC);
    const auto at = static_cast<off_t>(std::stoull(line, nullptr, 16));
    std::string phase(sizeof WorkerStatus{}.phase, '\0');
    while (!phase.starts_with("reading the request")) // the test's time limit ends this
        ASSERT_GT(
            pread(memory, phase.data(), phase.size(), at + off_t(offsetof(WorkerStatus, phase))),
            0);
    std::string junk(sizeof(WorkerStatus), '\x7f');
    junk[offsetof(WorkerStatus, is_answering)] = 0;
    EXPECT_EQ(pwrite(memory, junk.data(), junk.size(), at), ssize_t(junk.size()));
    close(memory);
}

TEST_F(Serve, LastWordsAreReadAsIfAnybodyHadWrittenThem) {
    JobSocket job = server.open_job();
    wait_for_workers(1);
    ASSERT_NO_FATAL_FAILURE(scribble_over_last_words(server.workers()[0]));
    kill(server.workers()[0], SIGKILL);
    auto reply = job.reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, RVL_COMPILE_CRASHED);
    EXPECT_LT(reply->text.size(), sizeof(WorkerStatus) + 100);
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

TEST_F(Serve, LimitsHoldForWhatIsReadBehindThem) {
    const Reply reply =
        server.run(build("").limits(60, 50 << 20).source(std::string(100 << 20, ' ')));
    EXPECT_EQ(reply.status, RVL_COMPILE_CRASHED);
    EXPECT_THAT(reply.text, HasSubstr("during reading the request: it ran out of memory (limit: "
                                      "50 MiB)"));
}

TEST_F(Serve, BytesThatDoNotComeTakeNoMemory) {
    constexpr uint64_t announced = uint64_t{1} << 30;
    const rvl_frame frame = {RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, RVL_FRAME_BUILD, 0, announced};
    const rvl_field field = {RVL_FIELD_SOURCE, 0, announced - sizeof(rvl_field)};
    JobSocket job = server.open_job();
    job.send({reinterpret_cast<const char *>(&frame), sizeof frame});
    job.send({reinterpret_cast<const char *>(&field), sizeof field});
    wait_for_workers(1);
    const std::string status = "/proc/" + std::to_string(server.workers()[0]) + "/status";
    job.end_sending();
    EXPECT_THAT(job.reply()->text, HasSubstr("ends before its last field"));
    std::ifstream file(status);
    std::string word;
    while (file >> word && word != "VmHWM:") // the most that it ever had, in KiB
        ;
    uint64_t most = 0;
    ASSERT_TRUE(file >> most) << "the worker has ended";
    EXPECT_LT(most, 500'000u);
}

TEST_F(Serve, JobsBeyondThoseThatRunWaitForTheirTurn) {
    std::vector<JobSocket> jobs;
    for (size_t i = 0; i < most_workers(); ++i)
        jobs.push_back(server.open_job()); // their workers wait for requests
    JobSocket last = server.start(build(good));
    {
        JobSocket cancelled = server.start(build(good));
    }
    wait_for_workers(most_workers());
    EXPECT_FALSE(last.is_answered_within(300));
    EXPECT_EQ(server.workers().size(), most_workers());
    jobs.pop_back();
    EXPECT_EQ(last.reply()->status, RVL_COMPILE_OK);
    for (JobSocket &job : jobs) {
        job.send(RequestFrame(RVL_FRAME_PING).bytes());
        EXPECT_EQ(job.reply()->status, RVL_COMPILE_OK);
    }
}

TEST_F(Serve, AWorkerEndsAfterItsJobs) {
    server.run(RequestFrame(RVL_FRAME_PING));
    wait_for_workers(1);
    const pid_t first = server.workers()[0];
    // A job that comes before the worker has said that it waits again goes to another worker.
    for (unsigned i = 1; kill(first, 0) == 0; ++i) {
        ASSERT_LT(i, 100 * worker_max_jobs);
        ASSERT_EQ(server.run(RequestFrame(RVL_FRAME_PING)).status, RVL_COMPILE_OK) << i;
        usleep(1000);
    }
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

// A thread's filter is its children's, too.
void refuse_pidfd_open() {
    sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program = {std::size(filter), filter};
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

TEST(ServeWithoutPidfds, SaysWhatThereIsNot) {
    std::thread([] {
        ASSERT_NO_FATAL_FAILURE(refuse_pidfd_open());
        CompileServer server;
        for (int i = 0; i < 3; ++i) {
            const Reply reply = server.run(build(good));
            EXPECT_EQ(reply.status, RVL_COMPILE_CRASHED);
            EXPECT_THAT(reply.text, HasSubstr("no descriptor for the process of another job: "
                                              "Operation not permitted"));
        }
        EXPECT_THAT(server.workers(), IsEmpty());
    }).join();
}

bool is_running(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string id, name, state;
    return file >> id >> name >> state && state != "Z" && state != "X";
}

// Replaces llvm-spirv: a shell with a child, both of which run forever.
struct EndlessReader : testing::Test {
    fs::path folder, reader, started;

    void SetUp() override {
        std::string path = testing::TempDir() + "rivulet-reader-XXXXXX";
        ASSERT_TRUE(mkdtemp(path.data()));
        folder = path;
        reader = folder / "reader";
        started = folder / "started";
        std::ofstream(reader) << "#!/bin/sh\nsleep 1000 &\necho $$ $! > " << started << ".new\nmv "
                              << started << ".new " << started << "\nwait\n";
        fs::permissions(reader, fs::perms::owner_all);
        setenv(RVL_LLVM_SPIRV_VARIABLE, reader.c_str(), 1);
    }
    void TearDown() override {
        unsetenv(RVL_LLVM_SPIRV_VARIABLE);
        fs::remove_all(folder);
    }

    static RequestFrame request() {
        // A header; OpCapability Addresses, OpCapability Kernel, OpMemoryModel Physical64 OpenCL.
        const uint32_t module[] = {0x07230203, 0x10000, 0, 1,       0, 0x20011,
                                   4,          0x20011, 6, 0x3000e, 2, 2};
        return RequestFrame(RVL_FRAME_BUILD)
            .isa(isa)
            .field(RVL_FIELD_SPIRV, {reinterpret_cast<const char *>(module), sizeof module});
    }
    std::vector<pid_t> processes() const {
        while (!fs::exists(started))
            usleep(1000);
        std::ifstream file(started);
        return {std::istream_iterator<pid_t>(file), {}};
    }
    // The test's time limit catches those that stay.
    static void wait_for_end_of(const std::vector<pid_t> &processes) {
        ASSERT_EQ(processes.size(), 2u);
        for (const pid_t process : processes)
            while (is_running(process))
                usleep(1000);
    }
};

TEST_F(EndlessReader, EndsWithACancelledBuild) {
    CompileServer server;
    std::vector<pid_t> processes;
    {
        JobSocket job = server.start(request());
        processes = this->processes();
    }
    wait_for_end_of(processes);
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

TEST_F(EndlessReader, EndsWithItsWorker) {
    CompileServer server;
    JobSocket job = server.start(request());
    const std::vector<pid_t> processes = this->processes();
    kill(server.workers()[0], SIGKILL);
    wait_for_end_of(processes);
    EXPECT_THAT(job.reply()->text, HasSubstr("during reading SPIR-V: signal SIGKILL"));
}

TEST_F(EndlessReader, EndsWithTheServer) {
    CompileServer server;
    JobSocket job = server.start(request());
    const std::vector<pid_t> processes = this->processes();
    EXPECT_EQ(server.end(), 0);
    wait_for_end_of(processes);
}

TEST_F(Serve, MessageWithoutASocketIsIgnored) {
    server.send_without_socket();
    EXPECT_EQ(server.run(build(good)).status, RVL_COMPILE_OK);
}

} // namespace
} // namespace rivulet::compiler
