// SPDX-License-Identifier: Apache-2.0
//
// With --serve, the test program itself takes the place of `rivulet-cc --serve` and misbehaves as
// the job's options request. It compiles nothing.
#include <atomic>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "hal/protocol/compile.h"

namespace {

struct Shared {
    std::atomic<unsigned> jobs;
    std::atomic<unsigned> meeting;
};

int receive_job() {
    char byte;
    iovec data{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC) <= 0)
        return -1;
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

std::string read_options(int fd) {
    rvl_frame frame;
    if (recv(fd, &frame, sizeof frame, MSG_WAITALL) != sizeof frame)
        return "";
    std::vector<char> fields(frame.bytes);
    recv(fd, fields.data(), fields.size(), MSG_WAITALL);
    for (size_t at = 0; at < fields.size();) {
        rvl_field field;
        std::memcpy(&field, fields.data() + at, sizeof field);
        if (field.tag == RVL_FIELD_OPTIONS)
            return {fields.data() + at + sizeof field, field.bytes};
        at += sizeof field + ((field.bytes + 7) & ~uint64_t{7});
    }
    return "";
}

void answer(int fd, const std::string &text,
            rvl_frame frame = {RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, RVL_FRAME_RESULT, 0, 0}) {
    const rvl_field status{RVL_FIELD_STATUS, RVL_COMPILE_OK, 0};
    const rvl_field field{RVL_FIELD_TEXT, 0, text.size()};
    std::string fields(reinterpret_cast<const char *>(&status), sizeof status);
    fields.append(reinterpret_cast<const char *>(&field), sizeof field);
    fields += text;
    fields.resize((fields.size() + 7) & ~size_t{7});
    frame.bytes += fields.size();
    std::string bytes(reinterpret_cast<const char *>(&frame), sizeof frame);
    bytes += fields;
    send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

std::string open_files() {
    std::string names;
    DIR *directory = opendir("/proc/self/fd");
    while (const dirent *entry = readdir(directory))
        if (entry->d_name[0] != '.' && std::stoi(entry->d_name) != dirfd(directory))
            names += std::string(entry->d_name) + " ";
    closedir(directory);
    return names;
}

void serve(int fd, Shared &shared) {
    const std::string options = read_options(fd);
    constexpr rvl_frame proper{RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, RVL_FRAME_RESULT, 0, 0};
    rvl_frame frame = proper;
    if (options == "pid")
        return answer(fd, std::to_string(getppid()));
    if (options == "count")
        return answer(fd, std::to_string(shared.jobs));
    if (options == "die")
        kill(getppid(), SIGKILL);
    if (options == "die" || options == "silence")
        return;
    if (options == "files")
        return answer(fd, open_files());
    if (options == "magic")
        frame.magic = 0;
    if (options == "version")
        frame.version = RVL_VERSION(2, 0);
    if (options == "long")
        frame.bytes = uint64_t{1} << 40;
    if (options == "cut")
        frame.bytes = 8;
    if (options == "meet") { // answers once a second one has arrived
        shared.meeting += 1;
        while (shared.meeting < 2)
            usleep(1000);
    }
    answer(fd, options, frame);
}

int serve_all() {
    std::signal(SIGCHLD, SIG_IGN);
    auto *shared = static_cast<Shared *>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    for (int fd = receive_job(); fd >= 0; fd = receive_job()) {
        shared->jobs += 1;
        if (fork() == 0) {
            serve(fd, *shared);
            _exit(0);
        }
        close(fd);
    }
    return 0;
}

} // namespace

int main(int argc, char **argv) {
    if (argc == 2 && std::strcmp(argv[1], "--serve") == 0)
        return serve_all();
    ::testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
