// SPDX-License-Identifier: Apache-2.0
//
// Another process may make a mapped file shorter, or fill its file system: then an access is a
// SIGBUS, which would end the application.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet::hal::window {

/// A piece of the address space in whole pages; while this lives, an access that the kernel refuses
/// finds zeros, and so does every later one. Made of a full table, it guards nothing.
class BusErrorGuard {
public:
    BusErrorGuard() = default;
    BusErrorGuard(void *start, uint64_t bytes);
    BusErrorGuard(BusErrorGuard &&other) noexcept;
    BusErrorGuard &operator=(BusErrorGuard &&other) noexcept;
    ~BusErrorGuard();

    /// True once there was such an access.
    [[nodiscard]] bool lost() const;
    /// The piece was mapped anew.
    void forget() const;

private:
    struct Piece *piece_ = nullptr;
};

} // namespace rivulet::hal::window
