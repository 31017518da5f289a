// SPDX-License-Identifier: Apache-2.0
//
// Serves one OpenOCD over its remote_bitbang protocol, a letter for each change of a pin:
//   rivulet-debug-module STUB MEMORY BASE SOCKET
// Start reading here; README.md has the drawing.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/socket.h>

#include "base/file_descriptor.h"
#include "base/unix_address.h"
#include "tests/debug_module/tap.h"

namespace {

using namespace rivulet;

/// The socket is renamed once OpenOCD can connect, for processes waiting for that name.
FileDescriptor accept_one(const std::string &path) {
    const std::string unnamed = path + ".new";
    const FileDescriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = unix_address(unnamed);
    if (!address ||
        bind(listener.get(), reinterpret_cast<const sockaddr *>(&*address), sizeof *address) != 0 ||
        listen(listener.get(), 1) != 0 || std::rename(unnamed.c_str(), path.c_str()) != 0)
        return {};
    return FileDescriptor(accept(listener.get(), nullptr, nullptr));
}

/// Returns false when OpenOCD disconnects.
bool take(char letter, debug_module::Tap &tap, std::string &answers) {
    if (letter >= '0' && letter <= '7') {
        const int pins = letter - '0';
        tap.set((pins & 4) != 0, (pins & 2) != 0, (pins & 1) != 0);
    } else if (letter == 'R') {
        answers += tap.out() ? '1' : '0';
    } else if (letter == 't' || letter == 'u') { // r and s don't affect TRST
        tap.reset();
    }
    return letter != 'Q';
}

} // namespace

int main(int count, char **words) {
    if (count != 5) {
        std::fprintf(stderr, "usage: rivulet-debug-module STUB MEMORY BASE SOCKET\n");
        return 2;
    }
    debug_module::Machine machine(words[1], words[2], std::strtoull(words[3], nullptr, 0));
    debug_module::DebugModule module(machine);
    debug_module::Tap tap(module);
    const auto host = accept_one(words[4]);
    if (!host) {
        std::perror("debug module: no socket");
        return 1;
    }
    std::string answers;
    for (bool goes_on = true; goes_on;) {
        char letters[4096];
        const ssize_t got = recv(host.get(), letters, sizeof letters, 0);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got && goes_on; ++i)
            goes_on = take(letters[i], tap, answers);
        if (!answers.empty() && send(host.get(), answers.data(), answers.size(), MSG_NOSIGNAL) !=
                                    static_cast<ssize_t>(answers.size()))
            break;
        answers.clear();
    }
    return 0;
}
