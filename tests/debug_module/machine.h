// SPDX-License-Identifier: Apache-2.0
//
// The chip behind the debug module: a QEMU. Its gdbstub stops the harts and accesses their
// registers and devices; its RAM is a file that is mapped here.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hal/drivers/gdb/stub.h"

namespace rivulet::debug_module {

class Machine {
public:
    /// `memory` is the file of QEMU's memory-backend-file, which begins at `base`. Ends the program
    /// where this can't be had.
    Machine(const std::string &stub, const std::string &memory, uint64_t base);
    ~Machine();
    Machine(const Machine &) = delete;

    [[nodiscard]] size_t harts() const { return halted_.size(); }
    [[nodiscard]] uint32_t xlen() const { return stub_->xlen(); }

    /// QEMU runs once no hart is halted, and stops when the first one is: running harts stop along
    /// with halted ones.
    void halt(size_t hart);
    void resume(size_t hart);
    [[nodiscard]] bool halted(size_t hart) const { return halted_[hart]; }
    /// Resets the chip, after which harts are halted or run.
    void reset(const std::vector<bool> &halted);

    // Registers of a halted hart; false if it has none of that number.
    bool gpr(size_t hart, unsigned number, uint64_t &value, bool writes);
    bool fpr(size_t hart, unsigned number, uint64_t &value, bool writes);
    bool csr(size_t hart, unsigned number, uint64_t &value, bool writes);
    uint32_t mode(size_t hart);

    // Both return false if there is nothing at that address.
    bool read(uint64_t address, std::span<std::byte> to);
    bool write(uint64_t address, std::span<const std::byte> from);
    /// Does the writes that were put off to go together.
    void flush();

private:
    bool access(size_t hart, unsigned number, uint64_t &value, bool writes);
    [[nodiscard]] bool is_memory(uint64_t address, size_t bytes) const;
    void stop();
    void go_on();

    std::unique_ptr<hal::gdb::Stub> stub_;
    std::vector<bool> halted_;
    unsigned first_csr_ = 0; // QEMU's number for CSR 0
    std::byte *memory_ = nullptr;
    size_t memory_bytes_ = 0;
    uint64_t base_ = 0;
    bool runs_ = false; // but for the time of an access
    std::vector<std::byte> put_off_;
    uint64_t put_off_at_ = 0;
};

} // namespace rivulet::debug_module
