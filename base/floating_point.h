// SPDX-License-Identifier: Apache-2.0
//
// The floating-point environment that the library's own arithmetic needs. Applications built with
// -ffast-math flush denormals, others round upwards or enable traps, and threads inherit that from
// their creator.
#pragma once

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__) && !(defined(__riscv) && defined(__riscv_flen))
#include <cfenv>
#endif

namespace rivulet {

/// While it exists, the thread rounds to nearest, keeps denormals and has no traps, like a C
/// program at startup. The destructor restores the environment, including exception flags.
class DefaultFloatingPoint {
public:
    DefaultFloatingPoint() {
#if defined(__x86_64__)
        constexpr uint32_t flags = 0x3f, masked = 0x1f80; // in MXCSR
        constexpr uint16_t x87_default = 0x37f;
        asm volatile("stmxcsr %0" : "=m"(control_)::"memory");
        if ((control_ & ~flags) != masked)
            set(masked);
        uint16_t x87;
        asm volatile("fnstcw %0" : "=m"(x87)::"memory");
        if (x87 != x87_default) {
            has_x87_ = true;
            asm volatile("fnstenv %0\n\tfldcw %1" : "=m"(x87_) : "m"(x87_default) : "memory");
        }
#elif defined(__aarch64__)
        asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(flags_)::"memory");
        if (control_ != 0)
            asm volatile("msr fpcr, xzr\n\tisb" ::: "memory");
#elif defined(__riscv) && defined(__riscv_flen)
        asm volatile("frcsr %0" : "=r"(control_)::"memory");
        if (control_ >> 5)
            asm volatile("fsrm x0" ::: "memory");
#else
        std::fegetenv(&environment_);
        std::fesetenv(FE_DFL_ENV);
#endif
    }
    DefaultFloatingPoint(const DefaultFloatingPoint &) = delete;
    DefaultFloatingPoint &operator=(const DefaultFloatingPoint &) = delete;
    ~DefaultFloatingPoint() {
#if defined(__x86_64__)
        uint32_t now;
        asm volatile("stmxcsr %0" : "=m"(now)::"memory");
        if (now != control_)
            set(control_);
        if (has_x87_) // restores the flags, too, since an exception raised here could trap
            asm volatile("fldenv %0" ::"m"(x87_) : "memory");
#elif defined(__aarch64__)
        if (control_ != 0)
            asm volatile("msr fpcr, %0\n\tisb" ::"r"(control_) : "memory");
        asm volatile("msr fpsr, %0" ::"r"(flags_) : "memory");
#elif defined(__riscv) && defined(__riscv_flen)
        asm volatile("fscsr %0" ::"r"(control_) : "memory");
#else
        std::fesetenv(&environment_);
#endif
    }

private:
#if defined(__x86_64__)
    static void set(uint32_t value) { asm volatile("ldmxcsr %0" ::"m"(value) : "memory"); }
    uint32_t control_;
    bool has_x87_ = false;
    struct {
        uint32_t words[7];
    } x87_;
#elif defined(__aarch64__)
    uint64_t control_, flags_;
#elif defined(__riscv) && defined(__riscv_flen)
    unsigned long control_;
#else
    std::fenv_t environment_;
#endif
};

} // namespace rivulet
