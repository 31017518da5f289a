// SPDX-License-Identifier: Apache-2.0
//
// Leases, which every launch takes and returns: apart from the rest of the heap, because this is
// compiled for speed.
#include <utility>

#include "host-runtime/device/heap.h"

namespace rivulet {

Lease::Lease(Arena &arena, Arena *shared) : arena_(&arena), shared_(shared) {
    const BriefLock lock(arena.heap_->mutex_);
    generation_ = arena.lend();
    code_generation_ = arena.code_->lend();
    const bool has_blocks = !arena.pieces_[0].extent.empty();
    buffers = has_blocks ? arena.pieces_[0].extent : arena.code_->home_;
    words = has_blocks ? arena.words_ : arena.code_->home_.begin;
    placement = arena.placements_;
    second_buffers = arena.pieces_[1].extent;
    if (shared) {
        shared_generation_ = shared->lend();
        second_buffers = shared->pieces_[0].extent;
    }
    code = arena.code_->pieces_[0].extent;
}

Lease::Lease(Lease &&other) noexcept { *this = std::move(other); }

Lease &Lease::operator=(Lease &&other) noexcept {
    std::swap(buffers, other.buffers);
    std::swap(second_buffers, other.second_buffers);
    std::swap(code, other.code);
    std::swap(words, other.words);
    std::swap(placement, other.placement);
    std::swap(arena_, other.arena_);
    std::swap(shared_, other.shared_);
    std::swap(generation_, other.generation_);
    std::swap(code_generation_, other.code_generation_);
    std::swap(shared_generation_, other.shared_generation_);
    return *this;
}

Lease::~Lease() {
    if (!arena_)
        return;
    const BriefLock lock(arena_->heap_->mutex_);
    arena_->take_back(generation_);
    arena_->code_->take_back(code_generation_);
    if (shared_)
        shared_->take_back(shared_generation_);
}

} // namespace rivulet
