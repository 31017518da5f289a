// SPDX-License-Identifier: Apache-2.0
//
// A client of `rivulet-cc --serve` that can also misbehave.
#ifndef RIVULET_COMPILER_TEST_SERVE_CLIENT_H
#define RIVULET_COMPILER_TEST_SERVE_CLIENT_H

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "hal/protocol/compile.h"

namespace rivulet::compiler {

struct Reply {
    rvl_compile_status status;
    std::string text;
    std::string bytes; // image or object
};

// One job's socket; closed at its end.
class JobSocket {
public:
    explicit JobSocket(int socket) : socket_(socket) {}
    JobSocket(JobSocket &&other) noexcept : socket_(other.socket_) { other.socket_ = -1; }
    ~JobSocket();

    void send(std::string_view bytes) const;
    void end_sending() const;
    std::optional<Reply> reply() const; // none: the connection ended first
    bool is_answered_within(int milliseconds) const;

private:
    int socket_;
};

// A frame under construction.
class RequestFrame {
public:
    explicit RequestFrame(rvl_frame_kind kind) : kind_(kind) {}
    RequestFrame &field(rvl_field_tag tag, std::string_view bytes, uint32_t extra = 0);
    RequestFrame &source(std::string_view text) { return field(RVL_FIELD_SOURCE, text); }
    RequestFrame &options(std::string_view text) { return field(RVL_FIELD_OPTIONS, text); }
    RequestFrame &isa(std::string_view isa) { return field(RVL_FIELD_ISA, isa); }
    RequestFrame &limits(uint32_t seconds, uint64_t memory_bytes);
    std::string bytes() const;

private:
    rvl_frame_kind kind_;
    std::string fields_;
};

class CompileServer {
public:
    explicit CompileServer(const std::string &program = RIVULET_CC);
    ~CompileServer();

    JobSocket open_job() const;
    JobSocket start(const RequestFrame &request) const;
    Reply run(const RequestFrame &request) const;
    void send_without_socket() const;

    std::vector<pid_t> workers() const; // children that are alive
    int end();                          // closes its standard input; its exit code

private:
    int control_ = -1;
    pid_t process_ = -1;
};

} // namespace rivulet::compiler

#endif
