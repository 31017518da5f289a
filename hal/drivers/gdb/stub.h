// SPDX-License-Identifier: Apache-2.0
//
// A gdb stub can stop and resume its harts, read and write memory and registers, and pass commands
// to its monitor. Harts are stopped for every access, because most stubs require it. All functions
// except `open` require the caller to hold a lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hal/drivers/gdb/packets.h"

namespace rivulet::hal::gdb {

enum class Kind { generic, qemu, openocd };

class Stub {
public:
    static Result<std::unique_ptr<Stub>> open(const std::string &target,
                                              std::chrono::milliseconds limit);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// The stub's thread ids: "p1.1", "1".
    [[nodiscard]] const std::vector<std::string> &threads() const { return threads_; }
    /// XLEN of the target description; 0 if unspecified.
    [[nodiscard]] uint32_t xlen() const { return xlen_; }
    [[nodiscard]] uint32_t vlen() const { return vlen_; }
    /// The stub's number of a register in the target description.
    [[nodiscard]] std::optional<unsigned> register_number(std::string_view name) const;

    Result<> halt();
    Result<> resume();
    /// Resumes the harts and detaches.
    Result<> detach();
    [[nodiscard]] bool halted() const { return halted_; }

    // These require halted harts, unless the stub can access memory while they run.
    Result<> read(uint64_t address, std::span<std::byte> to);
    Result<> write(uint64_t address, std::span<const std::byte> from);
    // These require halted harts.
    /// True if memory has these contents, according to the CRC-32 computed by the stub. Done in
    /// pieces that take it about as long as writing a packet: over JTAG, the whole may take longer
    /// than the time a stub may be silent. RVL_UNSUPPORTED if the stub computes no CRC.
    Result<bool> holds(uint64_t address, std::span<const std::byte> contents);
    Result<> write_register(const std::string &thread, unsigned number, uint64_t value);
    Result<uint64_t> read_register(const std::string &thread, unsigned number);
    /// Returns the monitor's answer. RVL_UNSUPPORTED if the stub has no monitor.
    Result<std::string> monitor(const std::string &command);

private:
    explicit Stub(Connection connection) : packets_(std::move(connection)) {}

    Result<std::string> ask(std::string_view packet);
    Result<uint32_t> crc(uint64_t address, uint64_t bytes);
    [[nodiscard]] size_t most_contents() const;
    Result<> greet();
    Result<> find_threads();
    Result<std::string> document(const std::string &name);
    void read_description();
    [[nodiscard]] uint32_t attribute(std::string_view name, std::string_view attribute) const;
    Result<> check(std::string_view packet, const Result<std::string> &answer) const;
    [[nodiscard]] Result<> ended(const std::string &stop) const;

    Packets packets_;
    Kind kind_ = Kind::generic;
    std::vector<std::string> threads_;
    std::string description_; // XML with includes expanded
    uint32_t xlen_ = 0;
    uint32_t vlen_ = 0;
    size_t packet_bytes_ = 400;   // accepted by every stub
    bool takes_binary_ = false;   // X
    bool gives_binary_ = false;   // x, since gdb 16
    bool continues_by_v_ = false; // vCont;c
    bool halted_ = true;          // stubs halt the harts when a debugger connects
};

} // namespace rivulet::hal::gdb
