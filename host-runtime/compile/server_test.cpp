// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/compile/server.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "hal/tests/scratch.h"
#include "host-runtime/compile/compiler.h"

namespace rivulet {
namespace {

using ::testing::HasSubstr;

constexpr const char *this_program = "/proc/self/exe"; // see misbehaving_server_test.cpp

struct Server : ::testing::Test {
    CompileServer server{this_program, {}};

    CompileResult run(const char *options) {
        CompileRequest request;
        request.options = options;
        return server.run(request);
    }
    std::string failure(const char *options) {
        const CompileResult result = run(options);
        EXPECT_EQ(result.status, RVL_COMPILE_CRASHED);
        return result.text;
    }
};

TEST_F(Server, AnswersJobAfterJobInOneProcess) {
    const CompileResult first = run("pid");
    EXPECT_EQ(first.status, RVL_COMPILE_OK);
    EXPECT_EQ(run("pid").text, first.text);
}

TEST_F(Server, IsStartedAgainAfterItWasKilled) {
    const std::string first = run("pid").text;
    ASSERT_EQ(kill(std::stoi(first), SIGKILL), 0);
    const CompileResult second = run("pid");
    EXPECT_EQ(second.status, RVL_COMPILE_OK) << second.text;
    EXPECT_NE(second.text, first);
}

TEST_F(Server, DeathWithinAJobIsAFailureWithALog) {
    EXPECT_THAT(failure("die"), HasSubstr("ended without an answer"));
    EXPECT_EQ(run("pid").status, RVL_COMPILE_OK);
}

TEST_F(Server, NonsenseIsAFailureWithALog) {
    EXPECT_THAT(failure("silence"), HasSubstr("ended without an answer"));
    EXPECT_THAT(failure("magic"), HasSubstr("protocol"));
    EXPECT_THAT(failure("version"), HasSubstr("version differs"));
    EXPECT_THAT(failure("long"), HasSubstr("damaged"));
    EXPECT_THAT(failure("cut"), HasSubstr("ended without an answer"));
}

TEST_F(Server, JobsRunSideBySide) {
    std::thread other([&] { EXPECT_EQ(run("meet").status, RVL_COMPILE_OK); });
    EXPECT_EQ(run("meet").status, RVL_COMPILE_OK);
    other.join();
}

TEST_F(Server, InheritsNoFilesOfTheApplication) {
    const FileDescriptor inheritable(open("/dev/null", O_RDONLY));
    ASSERT_TRUE(inheritable);
    // A job has 0, 1, 2 and its own socket.
    EXPECT_EQ(run("files").text, "0 1 2 3 ");
}

TEST_F(Server, UnloadLeavesNoProcessAndTheNextJobWorks) {
    const pid_t pid = std::stoi(run("pid").text);
    server.unload();
    while (kill(pid, 0) == 0) // its new parent reaps it
        std::this_thread::yield();
    EXPECT_EQ(run("pid").status, RVL_COMPILE_OK);
}

TEST(ServerPath, WithoutAProgramIsAFailureWithALog) {
    CompileServer absent(test::scratch("absent"), {});
    EXPECT_THAT(absent.run({}).text, HasSubstr("cannot be started"));
    CompileServer other("/bin/true", {});
    EXPECT_EQ(other.run({}).status, RVL_COMPILE_CRASHED);
}

TEST(CompilerPath, AbsenceSaysWhatToDo) {
    const Compiler absent(test::scratch("absent"), {}, "");
    EXPECT_FALSE(absent.is_available());
    EXPECT_THAT(absent.absence(), HasSubstr("RIVULET_CC"));
    EXPECT_TRUE(Compiler(this_program, {}, "").is_available());
}

TEST(CompilerCache, AnswersWithoutTheCompiler) {
    std::string directory = ::testing::TempDir() + "rivulet-cache-XXXXXX";
    ASSERT_TRUE(mkdtemp(directory.data()));
    CompileRequest request;
    request.options = "count";
    const std::string first = Compiler(this_program, {}, directory).run(request).text;
    Compiler second(this_program, {}, directory);
    EXPECT_EQ(second.run(request).text, first);
    CompileRequest other = request;
    other.source = "kernel void other() {}";
    EXPECT_EQ(second.run(other).text, "1") << "the first job that its server has seen";
    EXPECT_EQ(second.run_again(request).text, "2");
}

TEST(CompilerCache, KeepsNothingOfACompilerThatWasReplaced) {
    namespace fs = std::filesystem;
    std::string folder = ::testing::TempDir() + "rivulet-compiler-XXXXXX";
    ASSERT_TRUE(mkdtemp(folder.data()));
    const std::string program = folder + "/bin/rivulet-cc";
    const std::string library = folder + "/lib/rivulet/library";
    fs::create_directories(folder + "/bin");
    fs::create_directories(library);
    fs::create_symlink(fs::read_symlink(this_program), program);
    std::ofstream(library + "/builtins64.a") << "old";
    CompileRequest request;
    request.options = "count";
    Compiler running(program, {}, folder + "/cache");
    EXPECT_EQ(running.run(request).text, "1");
    std::ofstream(library + "/builtins64.a") << "of the next release";
    EXPECT_EQ(running.run(request).text, "2") << "no answer of the former one is taken";
    EXPECT_EQ(Compiler(program, {}, folder + "/cache").run(request).text, "1");
    fs::remove_all(folder);
}

} // namespace
} // namespace rivulet
