// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/bus_error.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <utility>

namespace rivulet::hal::window {

struct Piece {
    std::atomic<bool> taken = false;
    std::atomic<uintptr_t> start = 0;
    std::atomic<uint64_t> bytes = 0; // 0: not in use (yet)
    std::atomic<bool> lost = false;
};

namespace {

constexpr size_t most_pieces = 64;
std::array<Piece, most_pieces> pieces;
struct sigaction former; // set by the application

void pass_on(int number, siginfo_t *info, void *context) {
    if ((former.sa_flags & SA_SIGINFO) != 0)
        return former.sa_sigaction(number, info, context);
    if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)
        return former.sa_handler(number);
    // The access is repeated without this handler; a signal that was sent explicitly is sent again.
    sigaction(number, &former, nullptr);
    if (info->si_code <= 0)
        raise(number);
}

// The thread that runs this made the access itself, so it holds no lock that mmap needs.
void on_bus_error(int number, siginfo_t *info, void *context) {
    const int error = errno;
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    for (Piece &piece : pieces) {
        const uint64_t bytes = piece.bytes;
        void *const start = reinterpret_cast<void *>(piece.start.load());
        if (info->si_code <= 0 || address - piece.start >= bytes ||
            mmap(start, bytes, PROT_READ | PROT_WRITE,
                 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
            continue;
        piece.lost = true;
        errno = error;
        return;
    }
    errno = error;
    pass_on(number, info, context);
}

void install() {
    sigaction(SIGBUS, nullptr, &former); // before ours can be called
    struct sigaction action = former;    // with the mask that its handler expects
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGBUS, &action, nullptr);
}

} // namespace

BusErrorGuard::BusErrorGuard(void *start, uint64_t bytes) {
    static const bool installed = (install(), true);
    static_cast<void>(installed);
    for (Piece &piece : pieces) {
        if (piece.taken.exchange(true))
            continue;
        piece.lost = false;
        piece.start = reinterpret_cast<uintptr_t>(start);
        piece.bytes = bytes;
        piece_ = &piece;
        return;
    }
}

BusErrorGuard::BusErrorGuard(BusErrorGuard &&other) noexcept
    : piece_(std::exchange(other.piece_, nullptr)) {}

BusErrorGuard &BusErrorGuard::operator=(BusErrorGuard &&other) noexcept {
    std::swap(piece_, other.piece_);
    return *this;
}

BusErrorGuard::~BusErrorGuard() {
    if (piece_ == nullptr)
        return;
    piece_->bytes = 0;
    piece_->taken = false;
}

bool BusErrorGuard::lost() const { return piece_ != nullptr && piece_->lost; }

void BusErrorGuard::forget() const {
    if (piece_ != nullptr)
        piece_->lost = false;
}

} // namespace rivulet::hal::window
