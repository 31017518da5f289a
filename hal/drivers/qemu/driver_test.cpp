// SPDX-License-Identifier: Apache-2.0
//
// Any problem with QEMU results in a message that tells what to do.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "hal/core/config.h"
#include "hal/device.h"
#include "hal/drivers/qemu/memory.h"
#include "hal/drivers/qemu/process.h"
#include "hal/drivers/support.h"
#include "hal/tests/scratch.h"

namespace rivulet::hal {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string log_text;

void log_line(int, std::string_view text) { log_text += std::string(text) + "\n"; }

std::string path_of(const std::string &name) { return test::scratch(name); }

std::string file(const std::string &name, const std::string &content, mode_t mode = 0644) {
    const auto path = path_of(name);
    std::ofstream(path) << content;
    chmod(path.c_str(), mode);
    return path;
}

Config config(std::initializer_list<std::pair<const char *, std::string>> settings) {
    Config config = Config::from_environment().front();
    config.set("machine", "rv64-v128");
    config.set("driver", "qemu");
    for (const auto &[key, value] : settings)
        config.set(key, value);
    return config;
}

/// The error from opening and starting a device.
Error failure(const Config &config) {
    log_text.clear();
    const auto device = Device::open(config, log_line);
    if (!device)
        return device.error();
    const auto started = (*device)->start();
    return started ? Error{RVL_OK, "it started"} : started.error();
}

TEST(Qemu, MissingProgramSaysWhatToInstall) {
    for (const std::string &name : {test::scratch("absent/qemu"), std::string("no-such-qemu")}) {
        const auto error = failure(config({{"qemu", name}}));
        EXPECT_EQ(error.status, RVL_NOT_FOUND);
        EXPECT_THAT(error.message,
                    AllOf(HasSubstr(name), HasSubstr("install QEMU"), HasSubstr("RIVULET_QEMU")));
    }
}

TEST(Qemu, OldProgramSaysWhichVersionIsNeeded) {
    const auto old = file("old-qemu",
                          "#!/bin/sh\n"
                          "if [ \"$1\" = --version ]; then\n"
                          "  echo 'QEMU emulator version 7.2.1'; exit 0\n"
                          "fi\n"
                          "echo 'Property zvfh not found' >&2; exit 1\n",
                          0755);
    const auto error = failure(config({{"qemu", old}}));
    EXPECT_EQ(error.status, RVL_DEAD);
    EXPECT_THAT(error.message, AllOf(HasSubstr("QEMU 7"), HasSubstr("version 9"),
                                     HasSubstr("Property zvfh not found")));
}

TEST(Qemu, ProgramThatIsNoQemuSaysSo) {
    EXPECT_THAT(failure(config({{"qemu", "/bin/false"}})).message,
                HasSubstr("no QEMU that tells its version"));
    const auto text = file("text", "not a program", 0755);
    EXPECT_THAT(failure(config({{"qemu", text}})).message, HasSubstr("cannot start"));
}

TEST(Qemu, UnknownMachineNamesTheKnownOnes) {
    const auto error = failure(config({{"machine", "rv64-v77"}}));
    EXPECT_EQ(error.status, RVL_NOT_FOUND);
    EXPECT_THAT(error.message,
                AllOf(HasSubstr("rv64-v77"), HasSubstr("rv64-v512"), HasSubstr("RIVULET_MACHINE")));
}

TEST(Qemu, MissingDataDirectorySaysHowToNameIt) {
    EXPECT_THAT(failure(config({{"data", test::scratch("absent")}})).message,
                HasSubstr("RIVULET_DATA"));
}

TEST(Qemu, DamagedProfileSaysWhere) {
    EXPECT_THAT(failure(config({{"machine", file("a.cfg", "[machine]\n  type = virt\n")}})).message,
                HasSubstr("a.cfg:2:"));
    EXPECT_THAT(failure(config({{"machine", file("b.cfg", "\n\n[machine\n")}})).message,
                HasSubstr("b.cfg:3:"));
    EXPECT_THAT(failure(config({{"machine", file("c.cfg", "x = \"1\"\n")}})).message,
                HasSubstr("c.cfg:1:"));
    EXPECT_THAT(failure(config({{"machine", file("d.cfg", "")}})).message,
                HasSubstr("names no machine type"));
    EXPECT_THAT(failure(config({{"machine", testing::TempDir()}})).message,
                HasSubstr("machine profile"));
    EXPECT_THAT(failure(config({{"machine", file("f.cfg", "[machine]\ntype = \"virt\"\n[global]\n"
                                                          "driver = \"rv64-riscv-cpu\"\n"
                                                          "property = \"zvfhh\"\n"
                                                          "value = \"true\"\n")}}))
                    .message,
                AllOf(HasSubstr("f.cfg"), HasSubstr("did you mean 'zvfh'?")));
    EXPECT_THAT(failure(config({{"machine", file("e.cfg", std::string(1000, '\0'))}})).message,
                HasSubstr("e.cfg:1:"));
}

TEST(Qemu, WordsOfAProgramThatGaveUpAreInTheError) {
    const auto profile = file("strange.cfg", "[machine]\n  type = \"virt\"\n  memory-backend = "
                                             "\"ram\"\n[global]\n  driver = \"rv64-riscv-cpu\"\n"
                                             "  property = \"zstrange\"\n  value = \"true\"\n");
    const auto error = failure(config({{"machine", profile}, {"harts", "1"}}));
    EXPECT_EQ(error.status, RVL_DEAD);
    EXPECT_THAT(error.message, HasSubstr("zstrange"));
}

TEST(Qemu, ImpossibleMemoryIsRefused) {
    for (const char *little : {"0", "4K", "63M", "100000001"})
        EXPECT_THAT(failure(config({{"memory", little}})).message, HasSubstr("at least 64 MiB"));
    const auto much = failure(config({{"memory", "4096T"}}));
    EXPECT_EQ(much.status, RVL_NO_MEMORY);
    EXPECT_THAT(much.message, HasSubstr("give the machine less"));
}

TEST(Qemu, LeastMemoryIsEnough) {
    EXPECT_EQ(failure(config({{"memory", "64M"}, {"harts", "2"}})).message, "it started");
}

TEST(Qemu, MissingFirmwareSaysHowToNameIt) {
    const auto absent = test::scratch("absent.elf");
    const auto error = failure(config({{"firmware", absent}}));
    EXPECT_EQ(error.status, RVL_NOT_FOUND);
    EXPECT_THAT(error.message, AllOf(HasSubstr(absent), HasSubstr("RIVULET_FIRMWARE")));
}

TEST(Qemu, SomethingElseInPlaceOfFirmwareIsRefused) {
    EXPECT_THAT(failure(config({{"firmware", "/bin/true"}})).message,
                HasSubstr("not a RISC-V program"));
    EXPECT_THAT(failure(config({{"firmware", file("text.elf", "text")}})).message,
                HasSubstr("not an ELF file"));
}

TEST(Qemu, UserAttachesADebuggerAtAPath) {
    const auto path = path_of("gdb,server=off"); // a name like any other
    const auto device = Device::open(config({{"gdb", path}, {"harts", "1"}}), log_line);
    ASSERT_TRUE(device) << device.error().message;
    ASSERT_TRUE((*device)->start());
    EXPECT_THAT(failure(config({{"gdb", path}, {"harts", "1"}})).message,
                AllOf(HasSubstr("another device"), HasSubstr("RIVULET_GDB")));
    EXPECT_THAT(failure(config({{"gdb", ",hold"}, {"harts", "1"}})).message,
                HasSubstr("without the socket's path"));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int debugger = socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(connect(debugger, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    const std::string question = "$qSupported#37";
    ASSERT_EQ(write(debugger, question.data(), question.size()),
              static_cast<ssize_t>(question.size()));
    char answer[16] = {};
    ASSERT_GT(read(debugger, answer, sizeof answer - 1), 0);
    EXPECT_EQ(answer[0], '+');
    close(debugger);
    unlink(path.c_str());
}

TEST(Qemu, ProfileWithMoreHartsThanThereCanBeIsRefused) {
    const auto profile = file("many.cfg", "[machine]\ntype = \"virt\"\n[smp-opts]\ncpus = \"65\"\n"
                                          "[global]\ndriver = \"rv64-riscv-cpu\"\n");
    EXPECT_THAT(failure(config({{"machine", profile}})).message, HasSubstr("1 to 64"));
}

// Neither the ten-second limit nor terminal input must affect the caller.
TEST(Qemu, ProgramThatDoesNotEndIsNotWaitedFor) {
    const auto before = std::chrono::steady_clock::now();
    const auto endless = file("endless", "#!/bin/sh\necho here\nexec sleep 1000\n", 0755);
    EXPECT_EQ(qemu::output_of(endless, {}, std::chrono::milliseconds(300)), "here\n");
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(500));
    EXPECT_EQ(qemu::output_of("/bin/cat", {}), "");
}

TEST(Qemu, MemoryCannotBecomeShorter) {
    const auto memory = qemu::GuestMemory::create(0x80000000, 1 << 20);
    ASSERT_TRUE(memory) << memory.error().message;
    EXPECT_NE(ftruncate(memory->descriptor(), 4096), 0);
    EXPECT_EQ(fcntl(memory->descriptor(), F_GET_SEALS) & F_SEAL_SHRINK, F_SEAL_SHRINK);
}

TEST(Qemu, MisspeltSettingIsRefused) {
    for (const char *machine : {"rv64-v128", "loopback"}) {
        log_text.clear();
        Config misspelt;
        misspelt.set("machine", machine);
        misspelt.set("hart", "4");
        const auto device = Device::open(misspelt, log_line);
        ASSERT_FALSE(device);
        EXPECT_EQ(device.error().status, RVL_INVALID);
        EXPECT_THAT(device.error().message,
                    AllOf(HasSubstr(machine == std::string("loopback") ? "loopback" : "qemu"),
                          HasSubstr("\"hart\" (did you mean \"harts\"?)")));
    }
    log_text.clear();
    ASSERT_TRUE(Device::open(config({{"sandbox", "off"}, {"harts", "2"}}), log_line));
    EXPECT_EQ(log_text, "");
}

TEST(Qemu, StartsWithoutSandboxWhenAsked) {
    EXPECT_EQ(failure(config({{"sandbox", "off"}, {"harts", "1"}})).message, "it started");
}

TEST(Qemu, DescriptionNamesWhatTheHartsCanDo) {
    const auto device = Device::open(config({{"machine", "rv64-v1024"}, {"harts", "3"}}), log_line);
    ASSERT_TRUE(device) << device.error().message;
    const auto &description = (*device)->description();
    EXPECT_EQ(description.vlen, 1024u);
    EXPECT_EQ(description.harts, 3u);
    EXPECT_STREQ(description.board, "virt");
    EXPECT_THAT(description.isa, AllOf(HasSubstr("rv64imafdcv_"), HasSubstr("_zvfh"),
                                       HasSubstr("_zfh"), HasSubstr("_zba")));
}

rvl_status without_memory(rvl_device *) { throw std::bad_alloc(); }
rvl_status without_threads(rvl_device *) { throw std::runtime_error("no thread"); }

TEST(Driver, ExceptionsBecomeStatuses) {
    EXPECT_EQ(guarded<without_memory>(nullptr), RVL_NO_MEMORY);
    EXPECT_EQ(guarded<without_threads>(nullptr), RVL_IO);
}

} // namespace
} // namespace rivulet::hal
