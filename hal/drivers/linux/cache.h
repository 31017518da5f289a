// SPDX-License-Identifier: Apache-2.0
//
// Cache maintenance with the host's own instructions, if programs may use them: for windows that
// are mapped cached but not snooped by the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet::hal::window {

#if defined(__x86_64__)
inline constexpr bool has_cache_instructions = true;
inline constexpr size_t cache_line = 64;
inline void clean_and_invalidate(std::byte *line) { asm volatile("clflush %0" : "+m"(*line)); }
inline void finish_maintenance() { asm volatile("mfence" ::: "memory"); }
#elif defined(__aarch64__) // Linux allows it in user mode (SCTLR_EL1.UCI)
inline constexpr bool has_cache_instructions = true;
inline constexpr size_t cache_line = 16; // the minimum that CTR_EL0 can specify
inline void clean_and_invalidate(std::byte *line) {
    asm volatile("dc civac, %0" ::"r"(line) : "memory");
}
inline void finish_maintenance() { asm volatile("dsb sy" ::: "memory"); }
#else
inline constexpr bool has_cache_instructions = false;
inline constexpr size_t cache_line = 64;
inline void clean_and_invalidate(std::byte *) {}
inline void finish_maintenance() {}
#endif

/// Both directions are the same for the host: dirty lines are written back, and all lines are
/// invalidated. Lines that another part of the program is writing are not lost.
inline void maintain_caches(std::byte *start, size_t bytes) {
    finish_maintenance();
    auto *const first = start - reinterpret_cast<uintptr_t>(start) % cache_line;
    for (auto *line = first; line < start + bytes; line += cache_line)
        clean_and_invalidate(line);
    finish_maintenance();
}

} // namespace rivulet::hal::window
