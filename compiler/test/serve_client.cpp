// SPDX-License-Identifier: Apache-2.0
#include "compiler/test/serve_client.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace rivulet::compiler {
namespace {

bool receive(int socket, void *to, size_t bytes) {
    return recv(socket, to, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
}

} // namespace

JobSocket::~JobSocket() {
    if (socket_ >= 0)
        close(socket_);
}

void JobSocket::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0)
            return; // the server may rightly have stopped reading
        bytes.remove_prefix(static_cast<size_t>(count));
    }
}

void JobSocket::end_sending() const { shutdown(socket_, SHUT_WR); }

bool JobSocket::is_answered_within(int milliseconds) const {
    pollfd answer = {socket_, POLLIN, 0};
    return poll(&answer, 1, milliseconds) == 1;
}

std::optional<Reply> JobSocket::reply() const {
    Reply reply = {};
    rvl_frame frame;
    do {
        if (!receive(socket_, &frame, sizeof frame))
            return std::nullopt;
        EXPECT_EQ(frame.magic, RVL_COMPILE_MAGIC);
        std::string fields(frame.bytes, '\0');
        if (!receive(socket_, fields.data(), fields.size()))
            return std::nullopt;
        for (size_t at = 0; at < fields.size();) {
            rvl_field field;
            memcpy(&field, fields.data() + at, sizeof field);
            std::string bytes = fields.substr(at + sizeof field, field.bytes);
            at += sizeof field + ((field.bytes + 7) & ~uint64_t{7});
            if (field.tag == RVL_FIELD_STATUS)
                reply.status = static_cast<rvl_compile_status>(field.extra);
            else if (field.tag == RVL_FIELD_TEXT)
                reply.text += bytes;
            else
                reply.bytes = std::move(bytes);
        }
    } while (frame.kind != RVL_FRAME_RESULT);
    return reply;
}

RequestFrame &RequestFrame::field(rvl_field_tag tag, std::string_view bytes, uint32_t extra) {
    const rvl_field field = {tag, extra, bytes.size()};
    fields_.append(reinterpret_cast<const char *>(&field), sizeof field).append(bytes);
    fields_.resize((fields_.size() + 7) & ~size_t{7});
    return *this;
}

RequestFrame &RequestFrame::limits(uint32_t seconds, uint64_t memory_bytes) {
    std::string bytes(reinterpret_cast<const char *>(&memory_bytes), sizeof memory_bytes);
    return field(RVL_FIELD_LIMITS, bytes, seconds);
}

std::string RequestFrame::bytes() const {
    const rvl_frame frame = {RVL_COMPILE_MAGIC, RVL_COMPILE_VERSION, static_cast<uint32_t>(kind_),
                             0, fields_.size()};
    return std::string(reinterpret_cast<const char *>(&frame), sizeof frame) + fields_;
}

CompileServer::CompileServer(const std::string &program) {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    control_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    const char *arguments[] = {program.c_str(), "--serve", nullptr};
    EXPECT_EQ(posix_spawn(&process_, program.c_str(), &actions, nullptr,
                          const_cast<char **>(arguments), environ),
              0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
}

CompileServer::~CompileServer() {
    if (process_ > 0)
        EXPECT_EQ(end(), 0);
}

int CompileServer::end() {
    close(control_);
    int status = -1;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

JobSocket CompileServer::open_job() const {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    char byte = 0;
    iovec data = {&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
    EXPECT_EQ(sendmsg(control_, &message, MSG_NOSIGNAL), 1);
    close(ends[1]);
    return JobSocket(ends[0]);
}

JobSocket CompileServer::start(const RequestFrame &request) const {
    JobSocket job = open_job();
    job.send(request.bytes());
    return job;
}

Reply CompileServer::run(const RequestFrame &request) const {
    auto reply = start(request).reply();
    EXPECT_TRUE(reply) << "no answer";
    return reply.value_or(Reply{});
}

void CompileServer::send_without_socket() const {
    EXPECT_EQ(::send(control_, "x", 1, MSG_NOSIGNAL), 1);
}

std::vector<pid_t> CompileServer::workers() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/task/" + std::to_string(process_) +
                       "/children");
    return {std::istream_iterator<pid_t>(file), {}};
}

} // namespace rivulet::compiler
