// SPDX-License-Identifier: Apache-2.0
//
// A card on the same machine (rivulet card), as a client of the ivshmem protocol: the server sends
// the memory's descriptor and an eventfd for each of the card's lines and for its interrupts.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/unix_address.h"
#include "hal/drivers/linux/source.h"
#include "hal/drivers/qemu/ivshmem.h"

namespace rivulet::hal::window {
namespace {

class Peer final : public Source {
public:
    Peer(std::string path, FileDescriptor socket)
        : path_(std::move(path)), socket_(std::move(socket)) {}

    Result<> receive() {
        const auto version = next();
        if (!version)
            return std::unexpected(version.error());
        if (version->value != ivshmem::protocol_version)
            return fail(RVL_BAD_VERSION, {path_, " uses another version of the ivshmem protocol"});
        const auto own = next();
        if (!own)
            return std::unexpected(own.error());
        constexpr int most_messages = 64;
        for (int messages = 0; !own_event_ && messages < most_messages; ++messages) {
            auto message = next(); // our own eventfds come last
            if (!message)
                return std::unexpected(message.error());
            if (message->value == ivshmem::shared_memory)
                memory_ = std::move(message->descriptor);
            else if (message->value == ivshmem::card_peer && message->descriptor)
                lines_.push_back(std::move(message->descriptor));
            else if (message->value == own->value)
                own_event_ = std::move(message->descriptor);
        }
        if (!memory_ || !own_event_ || lines_.size() < ivshmem::card_lines)
            return fail(RVL_IO, {path_, " is an ivshmem server, but not that of a card"});
        return {};
    }

    Result<Mapping> memory(uint64_t wanted) override {
        struct stat status{};
        if (fstat(memory_.get(), &status) != 0 || status.st_size <= 0)
            return fail(RVL_IO, {"the card's memory has no size: ", errno_text(errno)});
        return Mapping::create(memory_.get(), 0, static_cast<uint64_t>(status.st_size),
                               "the card's memory", wanted);
    }
    const FileDescriptor *event(uint64_t value) override {
        return value < lines_.size() ? &lines_[value] : nullptr;
    }
    Result<Interrupt> interrupt() override {
        Interrupt interrupt{FileDescriptor(fcntl(own_event_.get(), F_DUPFD_CLOEXEC, 0)),
                            InterruptKind::event};
        if (!interrupt.descriptor)
            return fail(RVL_IO, {"cannot duplicate the card's interrupt: ", errno_text(errno)});
        return interrupt;
    }
    [[nodiscard]] int lifeline() const override { return socket_.get(); }
    Result<SharedFile> shared_file() const override {
        SharedFile file{FileDescriptor(fcntl(memory_.get(), F_DUPFD_CLOEXEC, 0)), 0};
        if (!file.descriptor)
            return fail(RVL_IO, {"cannot duplicate the card's memory: ", errno_text(errno)});
        return file;
    }

private:
    struct Message {
        int64_t value;
        FileDescriptor descriptor;
    };

    Result<Message> next() {
        constexpr int patience_ms = 20'000;
        pollfd event{socket_.get(), POLLIN, 0};
        int ready = 0;
        do
            ready = poll(&event, 1, patience_ms);
        while (ready < 0 && errno == EINTR);
        Message message{};
        iovec content{&message.value, sizeof message.value};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr header{};
        header.msg_iov = &content;
        header.msg_iovlen = 1;
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        const auto got = ready > 0 ? recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC) : -1;
        if (ready == 0)
            return fail(RVL_TIMEOUT,
                        {path_, " does not answer; is it the socket of rivulet card?"});
        if (got != sizeof message.value)
            return fail(RVL_IO, {path_, " hung up: the card serves another host or has ended; see "
                                        "the output of rivulet card"});
        if (const cmsghdr *passed = CMSG_FIRSTHDR(&header);
            passed != nullptr && passed->cmsg_type == SCM_RIGHTS) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(passed), sizeof descriptor);
            message.descriptor = FileDescriptor(descriptor);
        }
        return message;
    }

    std::string path_;
    FileDescriptor socket_, memory_, own_event_;
    std::vector<FileDescriptor> lines_;
};

} // namespace

Result<std::unique_ptr<Source>> open_ivshmem(const Settings &settings) {
    const auto path = settings.get("window.ivshmem");
    const auto address = unix_address(path);
    if (!address)
        return std::unexpected(address.error());
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket ||
        connect(socket.get(), reinterpret_cast<const sockaddr *>(&*address), sizeof *address) != 0)
        return fail(RVL_NOT_FOUND, {"no card at ", path, ": ", errno_text(errno),
                                    "; start one with: rivulet card --socket ", path});
    auto peer = std::make_unique<Peer>(path, std::move(socket));
    if (auto received = peer->receive(); !received)
        return std::unexpected(received.error());
    return peer;
}

} // namespace rivulet::hal::window
