// SPDX-License-Identifier: Apache-2.0
//
// Frames of the compile server's protocol, read by each of the two sides.
#include <sys/socket.h>
#include <unistd.h>

#include "compiler/serve/compile_protocol.h"
#include "host-runtime/compile/wire.h"

namespace {

/// A socket that provides these bytes, and then end of file.
class Sent {
public:
    Sent(const uint8_t *data, size_t size) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) != 0)
            std::abort();
        if (send(ends_[0], data, size, 0) != static_cast<ssize_t>(size))
            std::abort();
        shutdown(ends_[0], SHUT_WR);
    }
    Sent(const Sent &) = delete;
    Sent &operator=(const Sent &) = delete;
    ~Sent() {
        close(ends_[0]);
        close(ends_[1]);
    }
    [[nodiscard]] int end() const { return ends_[1]; }

private:
    int ends_[2];
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 65536)
        return 0;
    const auto request = rivulet::compiler::read_request(Sent(data, size).end());
    const auto result = rivulet::receive_result(Sent(data, size).end(), nullptr);
    // Values without an enumerator would be undefined behaviour here.
    if ((request && request->kind > RVL_FRAME_RESULT) ||
        (result && result->status > RVL_COMPILE_BAD_TARGET))
        std::abort();
    return 0;
}
