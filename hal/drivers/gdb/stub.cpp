// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/gdb/stub.h"
#include "hal/protocol/mailbox.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace rivulet::hal::gdb {
namespace {

constexpr size_t framing = 32;             // of a packet: $M, address, length, checksum
constexpr size_t largest_packet = 1 << 20; // limit on what a stub may claim
constexpr size_t largest_crc_piece = 16 << 10;
constexpr size_t most_threads = RVL_MAX_HARTS;

std::string digits(uint64_t value) { return hex(value).substr(2); }

/// "E01", "E.memtype"
bool is_error(std::string_view answer) {
    return answer.starts_with("E.") || (answer.size() == 3 && answer[0] == 'E' &&
                                        hex_digit(answer[1]) >= 0 && hex_digit(answer[2]) >= 0);
}

bool is_stop(std::string_view answer) {
    return !answer.empty() && (answer[0] == 'T' || answer[0] == 'S' || answer[0] == 'W' ||
                               answer[0] == 'X' || answer[0] == 'N');
}

template <class Value> bool parse_hex(std::string_view text, Value &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc{} && end == text.data() + text.size();
}

/// A feature in a qSupported answer; "" if it is missing, "+" if it has no value.
std::string feature(std::string_view supported, std::string_view name) {
    while (!supported.empty()) {
        const auto one = supported.substr(0, supported.find(';'));
        supported.remove_prefix(std::min(one.size() + 1, supported.size()));
        if (!one.starts_with(name) || one.size() == name.size())
            continue;
        if (one[name.size()] == '=')
            return std::string(one.substr(name.size() + 1));
        if (one.substr(name.size()) == "+")
            return "+";
    }
    return {};
}

/// The CRC of qCRC: polynomial 0x04c11db7, not reflected, initial value 0xffffffff.
uint32_t crc_of(std::span<const std::byte> bytes) {
    uint32_t crc = 0xffffffff;
    for (const std::byte byte : bytes) {
        crc ^= std::to_integer<uint32_t>(byte) << 24;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc << 1 ^ ((crc >> 31) != 0 ? 0x04c11db7u : 0);
    }
    return crc;
}

} // namespace

Result<std::unique_ptr<Stub>> Stub::open(const std::string &target,
                                         std::chrono::milliseconds limit) {
    auto connection = Connection::open(target, limit);
    if (!connection)
        return std::unexpected(connection.error());
    std::unique_ptr<Stub> stub(new Stub(std::move(*connection)));
    if (auto greeted = stub->greet(); !greeted)
        return std::unexpected(greeted.error());
    return stub;
}

Result<> Stub::greet() {
    const auto supported = packets_.ask("qSupported:swbreak+;hwbreak+;xmlRegisters=riscv");
    if (!supported)
        return std::unexpected(supported.error());
    size_t bytes = 0;
    if (parse_hex(feature(*supported, "PacketSize"), bytes) && bytes > packet_bytes_)
        packet_bytes_ = std::min(bytes, largest_packet);
    gives_binary_ = !feature(*supported, "binary-upload").empty();
    if (!feature(*supported, "QStartNoAckMode").empty()) {
        const auto agreed = packets_.ask("QStartNoAckMode");
        if (agreed && *agreed == "OK")
            packets_.stop_acknowledging();
    }
    const auto stop = packets_.ask("?");
    if (!stop)
        return std::unexpected(stop.error());
    if (stop->empty() || stop->starts_with("OK"))
        return packets_.nonsense("?", *stop);
    if (auto alive = ended(*stop); !alive)
        return alive;
    if (const auto is_qemu = packets_.ask("qqemu.sstepbits"); is_qemu && !is_qemu->empty())
        kind_ = Kind::qemu;
    else if (const auto version = monitor("version");
             version && version->find("Open On-Chip Debugger") != version->npos)
        kind_ = Kind::openocd;
    // Physical addresses; includes device registers as well as RAM.
    if (kind_ == Kind::qemu)
        if (const auto physical = packets_.ask("Qqemu.PhyMemMode:1"); !physical)
            return std::unexpected(physical.error());
    if (const auto binary = packets_.ask("X0,0:"); binary && *binary == "OK")
        takes_binary_ = true;
    if (const auto ways = packets_.ask("vCont?"); ways && ways->find(";c") != ways->npos)
        continues_by_v_ = true;
    if (auto found = find_threads(); !found)
        return found;
    if (!feature(*supported, "qXfer:features:read").empty())
        read_description();
    return {};
}

Result<> Stub::find_threads() {
    for (const char *question = "qfThreadInfo"; threads_.size() <= most_threads;
         question = "qsThreadInfo") {
        const auto list = packets_.ask(question);
        if (!list)
            return std::unexpected(list.error());
        if (list->empty() || *list == "l")
            break;
        if (list->front() != 'm')
            return packets_.nonsense(question, *list);
        std::string_view rest = std::string_view(*list).substr(1);
        while (!rest.empty()) {
            const auto comma = rest.find(',');
            threads_.emplace_back(rest.substr(0, comma));
            rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
        }
    }
    if (threads_.size() > most_threads)
        return fail(RVL_INVALID, {"the gdb stub at ", packets_.target(), " shows more than ",
                                  most_threads, " harts; let it show those of one device"});
    if (threads_.empty())
        threads_.emplace_back("0"); // any thread: a stub without threads has one hart
    return {};
}

Result<std::string> Stub::document(const std::string &name) {
    std::string all;
    const size_t piece = packet_bytes_ - framing;
    for (;;) {
        auto part = packets_.ask(
            text({"qXfer:features:read:", name, ":", digits(all.size()), ",", digits(piece)}));
        if (!part || part->empty() || (part->front() != 'm' && part->front() != 'l'))
            return part;
        all.append(*part, 1);
        if (part->front() == 'l' || part->size() == 1 || all.size() > largest_packet)
            return all;
    }
}

// Reads the widths of pc and v0.
void Stub::read_description() {
    auto all = document("target.xml");
    if (!all)
        return;
    description_ = *all;
    constexpr std::string_view include = "href=\"";
    for (size_t at = all->find(include); at != all->npos; at = all->find(include, at + 1)) {
        const auto from = at + include.size();
        const auto end = all->find('"', from);
        if (end == all->npos)
            break;
        if (const auto part = document(all->substr(from, end - from)))
            description_ += *part;
    }
    xlen_ = attribute("pc", "bitsize");
    vlen_ = attribute("v0", "bitsize");
}

// Returns 0 if the <reg> element of that name has no such attribute.
uint32_t Stub::attribute(std::string_view name, std::string_view attribute) const {
    const std::string_view all = description_;
    const auto at = all.find(text({"name=\"", name, "\""}));
    if (at == all.npos)
        return 0;
    const auto element = all.substr(at, all.find('>', at) - at);
    const auto key = text({attribute, "=\""});
    const auto value = element.find(key);
    uint32_t number = 0;
    if (value != element.npos)
        std::from_chars(element.data() + value + key.size(), element.data() + element.size(),
                        number);
    return number;
}

std::optional<unsigned> Stub::register_number(std::string_view name) const {
    const uint32_t number = attribute(name, "regnum");
    return number != 0 ? std::optional(number) : std::nullopt;
}

Result<> Stub::ended(const std::string &stop) const {
    if (stop.empty() || (stop[0] != 'W' && stop[0] != 'X' && stop[0] != 'N'))
        return {};
    return fail(RVL_DEAD, {"the gdb stub at ", packets_.target(),
                           " reports that its harts are gone (", stop.substr(0, 16), ")"});
}

Result<> Stub::halt() {
    if (halted_)
        return {};
    if (auto sent = packets_.interrupt(); !sent)
        return sent;
    for (;;) {
        const auto answer = packets_.receive();
        if (!answer)
            return std::unexpected(answer.error());
        if (!is_stop(*answer))
            continue; // O: console output
        halted_ = true;
        return ended(*answer);
    }
}

Result<> Stub::resume() {
    if (!halted_)
        return {};
    if (!continues_by_v_)
        if (const auto all = packets_.ask("Hc-1"); !all)
            return std::unexpected(all.error());
    if (auto sent = packets_.send(continues_by_v_ ? "vCont;c" : "c"); !sent)
        return sent;
    halted_ = false;
    return {};
}

// OpenOCD leaves the harts halted when a debugger detaches or hangs up. Its answer to another
// packet shows that they have been resumed.
Result<> Stub::detach() {
    if (kind_ == Kind::openocd) {
        if (auto going = resume(); !going)
            return going;
        const auto version = monitor("version");
        return version ? Result<>{} : std::unexpected(version.error());
    }
    if (auto halted = halt(); !halted)
        return halted;
    return check("D", packets_.ask("D"));
}

Result<> Stub::check(std::string_view packet, const Result<std::string> &answer) const {
    if (!answer)
        return std::unexpected(answer.error());
    if (*answer == "OK")
        return {};
    if (is_error(*answer))
        return fail(RVL_IO, {"the gdb stub at ", packets_.target(), " refuses ",
                             packet.substr(0, packet.find(':')), ": ", *answer});
    return packets_.nonsense(packet, *answer);
}

// While harts run, a stub may send more than the answer: console output, and stop replies.
Result<std::string> Stub::ask(std::string_view packet) {
    auto answer = packets_.ask(packet);
    while (answer && !halted_) {
        if (is_stop(*answer)) {
            halted_ = true;
            if (auto alive = ended(*answer); !alive)
                return std::unexpected(alive.error());
        } else if (!answer->starts_with('O') || *answer == "OK") {
            break;
        }
        answer = packets_.receive();
    }
    return answer;
}

// Maximum memory contents of one packet, in hexadecimal or with every byte escaped.
size_t Stub::most_contents() const { return (packet_bytes_ - framing) / 2; }

Result<> Stub::read(uint64_t address, std::span<std::byte> to) {
    const size_t most = most_contents();
    while (!to.empty()) {
        const size_t bytes = std::min(to.size(), most);
        const auto packet = text({gives_binary_ ? "x" : "m", digits(address), ",", digits(bytes)});
        const auto answer = ask(packet);
        if (!answer)
            return std::unexpected(answer.error());
        std::string contents;
        if (gives_binary_ && answer->starts_with('b'))
            contents = answer->substr(1);
        else if (!gives_binary_)
            contents = from_hex(*answer);
        if (contents.size() != bytes) {
            if (is_error(*answer))
                return check(packet, answer);
            return packets_.nonsense(packet, *answer);
        }
        std::memcpy(to.data(), contents.data(), bytes);
        to = to.subspan(bytes);
        address += bytes;
    }
    return {};
}

Result<> Stub::write(uint64_t address, std::span<const std::byte> from) {
    const size_t most = most_contents();
    while (!from.empty()) {
        const size_t bytes = std::min(from.size(), most);
        const std::string_view contents(reinterpret_cast<const char *>(from.data()), bytes);
        const auto packet = text({takes_binary_ ? "X" : "M", digits(address), ",", digits(bytes),
                                  ":", takes_binary_ ? escaped(contents) : to_hex(contents)});
        if (auto done = check(packet, ask(packet)); !done)
            return done;
        from = from.subspan(bytes);
        address += bytes;
    }
    return {};
}

Result<uint32_t> Stub::crc(uint64_t address, uint64_t bytes) {
    const auto packet = text({"qCRC:", digits(address), ",", digits(bytes)});
    const auto answer = packets_.ask(packet);
    if (!answer)
        return std::unexpected(answer.error());
    if (answer->empty() || is_error(*answer))
        return fail(RVL_UNSUPPORTED, "the stub computes no CRC");
    uint32_t crc = 0;
    if (answer->front() != 'C' || !parse_hex(std::string_view(*answer).substr(1), crc))
        return packets_.nonsense(packet, *answer);
    return crc;
}

Result<bool> Stub::holds(uint64_t address, std::span<const std::byte> contents) {
    for (bool computes = false; !contents.empty(); computes = true) {
        const auto piece =
            contents.first(std::min({contents.size(), most_contents(), largest_crc_piece}));
        const auto there = crc(address, piece.size());
        if (!there && computes && there.error().status == RVL_UNSUPPORTED)
            return fail(RVL_IO, {"the gdb stub at ", packets_.target(), " computes no CRC at ",
                                 hex(address), ", as it does of the memory before"});
        if (!there)
            return std::unexpected(there.error());
        if (*there != crc_of(piece))
            return false;
        contents = contents.subspan(piece.size());
        address += piece.size();
    }
    return true;
}

Result<> Stub::write_register(const std::string &thread, unsigned number, uint64_t value) {
    const auto choice = "Hg" + thread;
    if (auto chosen = check(choice, packets_.ask(choice)); !chosen)
        return chosen;
    const std::string_view bytes(reinterpret_cast<const char *>(&value), xlen_ == 32 ? 4 : 8);
    const auto packet = text({"P", digits(number), "=", to_hex(bytes)});
    return check(packet, packets_.ask(packet));
}

Result<uint64_t> Stub::read_register(const std::string &thread, unsigned number) {
    const auto choice = "Hg" + thread;
    if (auto chosen = check(choice, packets_.ask(choice)); !chosen)
        return std::unexpected(chosen.error());
    const auto packet = "p" + digits(number);
    const auto answer = packets_.ask(packet);
    if (!answer)
        return std::unexpected(answer.error());
    const auto bytes = from_hex(*answer);
    if (bytes.empty() || bytes.size() > sizeof(uint64_t))
        return packets_.nonsense(packet, *answer);
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
}

Result<std::string> Stub::monitor(const std::string &command) {
    const auto packet = "qRcmd," + to_hex(command);
    std::string said;
    for (auto answer = packets_.ask(packet);; answer = packets_.receive()) {
        if (!answer)
            return answer;
        if (answer->empty())
            return fail(RVL_UNSUPPORTED, {"the gdb stub at ", packets_.target(),
                                          " has no monitor that could ", command});
        if (*answer == "OK")
            return said;
        if (is_error(*answer))
            return fail(RVL_IO, {"the monitor of ", packets_.target(), " refuses \"", command,
                                 "\": ", said, *answer});
        if (is_stop(*answer)) // of harts that the command stopped or resumed
            continue;
        if (answer->front() != 'O') // the complete output, or its end
            return said + from_hex(*answer);
        said += from_hex(answer->substr(1));
    }
}

} // namespace rivulet::hal::gdb
