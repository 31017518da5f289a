// SPDX-License-Identifier: Apache-2.0
//
// The loopback drivers' harts have the ISA "host", the host's own instructions; on hosts of RISC-V
// they say what a device of that ISA would, so that they run the device's own images.
#pragma once

#include <cstdint>
#include <string>

#ifdef __riscv
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace rivulet::hal::loopback {

#ifdef __riscv
/// Extensions of more than a letter, as Linux tells them; none, where it is older than 6.4.
inline std::string named_extensions() {
    struct Extension {
        const char *name;
        unsigned bit; // of RISCV_HWPROBE_KEY_IMA_EXT_0
    };
    constexpr Extension extensions[] = {{"zicond", 35}, {"zfa", 32}, {"zfh", 27},  {"zba", 3},
                                        {"zbb", 4},     {"zbs", 5},  {"zvbb", 17}, {"zvfh", 30}};
    constexpr long riscv_hwprobe = 258;
    struct Pair {
        int64_t key;
        uint64_t value;
    } pair{.key = 4, .value = 0};
    if (syscall(riscv_hwprobe, &pair, 1, 0, nullptr, 0) != 0)
        return {};
    std::string names;
    for (const auto &[name, bit] : extensions)
        if ((pair.value >> bit & 1) != 0)
            (names += '_') += name;
    return names;
}

inline bool has_vectors() { return (getauxval(AT_HWCAP) >> ('v' - 'a') & 1) != 0; }

inline std::string host_isa() {
    std::string isa = __riscv_xlen == 64 ? "rv64" : "rv32";
    for (const char letter : {'i', 'm', 'a', 'f', 'd', 'c', 'v'})
        if ((getauxval(AT_HWCAP) >> (letter - 'a') & 1) != 0)
            isa += letter;
    return isa + named_extensions();
}

/// Bits of a vector register; 0: none.
inline uint32_t host_vlen() {
    uintptr_t bytes = 0;
    if (has_vectors())
        __asm__("csrr %0, 0xc22" : "=r"(bytes)); // vlenb
    return static_cast<uint32_t>(bytes * 8);
}
#else
inline std::string host_isa() { return "host"; }
inline uint32_t host_vlen() { return 0; }
#endif

} // namespace rivulet::hal::loopback
