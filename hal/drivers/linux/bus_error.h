// SPDX-License-Identifier: Apache-2.0
//
// Another process may truncate a mapped file or fill its file system: an access then raises SIGBUS,
// which would terminate the application.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet::hal::window {

/// A page-aligned address range. While the guard exists, an access that the kernel refuses reads
/// zeros, and so do all later ones. If the table is full, it guards nothing.
class BusErrorGuard {
public:
    BusErrorGuard() = default;
    BusErrorGuard(void *start, uint64_t bytes);
    BusErrorGuard(BusErrorGuard &&other) noexcept;
    BusErrorGuard &operator=(BusErrorGuard &&other) noexcept;
    ~BusErrorGuard();

    /// True after such an access.
    [[nodiscard]] bool lost() const;
    /// Called after the range has been mapped again.
    void forget() const;

private:
    struct Piece *piece_ = nullptr;
};

} // namespace rivulet::hal::window
