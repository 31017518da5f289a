// SPDX-License-Identifier: Apache-2.0
//
// Fills and copies of device memory. The host does them (api/transfer.h), unless that would be a
// round trip between launches: a small one that follows an application's kernel and precedes
// another becomes a launch itself, of a kernel of the library's own (transfer_code.c), and the
// device goes through the three without the host.
//
// That kernel is loaded into a context by the first command that could use it, in the background;
// until it is there, and where there can't be one, the host does everything.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "host-runtime/graph/work.h"
#include "host-runtime/memory/mem_object.h"
#include "host-runtime/memory/storage.h"

namespace rivulet {

class Transfer final : public HostWork {
public:
    /// A box of a memory object or, without one, of host memory or shared memory at `address`.
    struct Place {
        Ref<MemObject> object;
        Layout layout;
        std::byte *address = nullptr;
    };
    /// Copies from `from`, or repeats the pattern along each row if there is one. `shared` is the
    /// context's, for places without a memory object.
    static HostCommand command(cl_command_type type, Place to, Place from,
                               std::span<const std::byte> pattern, const Extent &extent,
                               const SharedMemory *shared = nullptr);

    Transfer(Place to, Place from, std::span<const std::byte> pattern, const Extent &extent,
             const SharedMemory *shared)
        : to_(std::move(to)), from_(std::move(from)), pattern_(pattern.begin(), pattern.end()),
          extent_(extent), shared_(shared) {}

    void run() override;
    [[nodiscard]] bool runs_inline() const override { return extent_.bytes() <= inline_bytes; }
    [[nodiscard]] std::unique_ptr<DeviceWork> on_device(Queue &queue,
                                                        bool is_behind_kernels) override;

private:
    [[nodiscard]] bool is_fill() const { return !pattern_.empty(); }
    [[nodiscard]] uint64_t address_of(const Place &place, const ContextDevice &device) const;

    const Place to_;
    const Place from_; // of copies
    const std::vector<std::byte> pattern_;
    const Extent extent_;
    const SharedMemory *const shared_;
};

} // namespace rivulet
