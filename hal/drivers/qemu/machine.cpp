// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/machine.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/parse.h"
#include "base/read_file.h"
#include "base/thread.h"
#include "hal/drivers/qemu/emulator.h"
#include "hal/isa/isa_string.h"

namespace rivulet::hal::qemu {
namespace {

constexpr const char *default_machine = "rv64-v512";
constexpr uint64_t default_memory = 2ull << 30; // costs nothing until touched
constexpr uint64_t least_memory = 64ull << 20;
constexpr uint32_t most_default_harts = 8;

/// One `key = "value"` in a section of a profile.
struct Entry {
    std::string section, key, value;
};

Result<std::vector<Entry>> parse(std::string_view text, const std::string &path) {
    std::vector<Entry> entries;
    std::string section;
    for (int number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        constexpr std::string_view own = "# rivulet: "; // for this driver; a comment for QEMU
        if (line.starts_with(own)) {
            const auto equals = line.find(" = ");
            if (equals == line.npos)
                return fail(RVL_INVALID,
                            {path, ":", number, ": expected `# rivulet: key = value`"});
            entries.push_back({"# rivulet",
                               std::string(trimmed(line.substr(own.size(), equals - own.size()))),
                               std::string(trimmed(line.substr(equals + 3)))});
            continue;
        }
        if (line.empty() || line.front() == '#')
            continue;
        const auto wrong = [&](const char *what) {
            return fail(RVL_INVALID, {path, ":", number, ": ", what,
                                      "; a machine profile has the syntax of QEMU's -readconfig"});
        };
        if (line.front() == '[') {
            if (line.back() != ']')
                return wrong("a section needs a closing bracket");
            section = line.substr(1, std::min(line.find_first_of(" ]"), line.size()) - 1);
            entries.push_back({section, "", ""});
            continue;
        }
        const auto equals = line.find(" = ");
        const auto value = equals == line.npos ? "" : trimmed(line.substr(equals + 3));
        if (section.empty() || value.size() < 2 || value.front() != '"' || value.back() != '"')
            return wrong("expected `key = \"value\"` in a [section]");
        entries.push_back({section, std::string(trimmed(line.substr(0, equals))),
                           std::string(value.substr(1, value.size() - 2))});
    }
    return entries;
}

/// A line `# rivulet: key = value`. Machines of others have them: what QEMU needs no file for, and
/// the driver can't find out.
Result<> interpret_own(Machine &machine, const Entry &entry, const std::string &path) {
    const auto number = parse_bytes(entry.value);
    // virt may have these three, too.
    if (entry.key == "board") {
        machine.board = entry.value;
        return {};
    }
    if (entry.key == "extension") { // of the firmware's
        machine.firmware_extension = entry.value;
        return {};
    }
    if (entry.key == "max_harts" && number) {
        machine.most_harts = static_cast<uint32_t>(*number);
        return {};
    }
    if (entry.key == "isa")
        machine.isa = entry.value;
    else if (entry.key == "vlen" && number)
        machine.vlen = static_cast<uint32_t>(*number);
    else if (entry.key == "memory_base" && number)
        machine.memory_base = *number;
    else if (entry.key == "window_base" && number)
        machine.window_base = *number;
    else if (entry.key == "window_bytes" && number)
        machine.window_bytes = *number;
    else if (entry.key == "console" && number)
        machine.console = static_cast<uint32_t>(*number);
    else
        return fail(RVL_INVALID, {path, ": \"# rivulet: ", entry.key, " = ", entry.value,
                                  "\" is no setting of a machine profile"});
    machine.has_doorbell = false;
    return {};
}

Result<Machine> interpret(const std::vector<Entry> &entries, const std::string &path) {
    constexpr std::string_view cpu_suffix = "-riscv-cpu";
    Machine machine;
    machine.memory_bytes = default_memory;
    machine.memory_base = machine.window_base = virt_memory_base;
    std::vector<std::string> extensions;
    std::string property;
    std::string element_bits;
    for (const auto &[section, key, value] : entries) {
        const auto number = parse_bytes(value);
        if (section == "# rivulet") {
            if (auto taken = interpret_own(machine, {section, key, value}, path); !taken)
                return std::unexpected(taken.error());
        } else if (section == "machine" && key == "type")
            machine.type = value;
        else if (section == "machine" && key == "firmware")
            machine.has_sbi = value != "none";
        else if (section == "memory" && key == "size" && number)
            machine.memory_bytes = *number;
        else if (section == "smp-opts" && key == "cpus" && number)
            machine.harts = static_cast<uint32_t>(*number);
        else if (section == "icount")
            machine.counts_instructions = true;
        else if (section == "global" && key == "driver" && value.ends_with(cpu_suffix))
            machine.model = value.substr(0, value.size() - cpu_suffix.size());
        else if (section == "global" && key == "property")
            property = value;
        else if (section == "global" && key == "value" && property == "vlen" && number)
            machine.vlen = static_cast<uint32_t>(*number);
        else if (section == "global" && key == "value" && property == "elen")
            element_bits = value;
        else if (section == "global" && key == "value" && value == "true" &&
                 (property.size() == 1 || property.starts_with('z')))
            extensions.push_back(property);
    }
    // V restricted to 32-bit elements is Zve32f. QEMU enables a vector unit only for V.
    if (element_bits == "32")
        std::ranges::replace(extensions, "v", "zve32f");
    if (machine.isa.empty()) {
        machine.xlen = machine.model.starts_with("rv32") ? 32 : 64;
        machine.isa = isa::join(text({"rv", machine.xlen}), extensions);
        if (!machine.firmware_extension.empty())
            machine.isa += "_" + machine.firmware_extension;
    } else {
        machine.xlen = machine.isa.starts_with("rv32") ? 32 : 64;
    }
    if (machine.board.empty() && machine.has_sbi)
        machine.board = machine.type + "-smode";
    if (auto fine = check_isa(path + ": isa", machine.isa); !fine)
        return std::unexpected(fine.error());
    if (machine.board.empty())
        machine.board = machine.type;
    if (machine.type.empty() || (machine.model.empty() && machine.has_doorbell))
        return fail(RVL_INVALID, {path, " names no machine type ([machine] type) or no CPU "
                                        "([global] driver = \"rv64-riscv-cpu\")"});
    return machine;
}

std::string machine_names(const std::string &directory) {
    const auto is_profile = [](const dirent *entry) -> int {
        return std::string_view(entry->d_name).ends_with(".cfg");
    };
    dirent **list = nullptr;
    const int count = scandir(directory.c_str(), &list, is_profile, alphasort);
    std::string names;
    for (int i = 0; i < count; ++i) {
        const std::string_view name = list[i]->d_name;
        names.append(names.empty() ? "" : ", ").append(name.substr(0, name.size() - 4));
        std::free(list[i]);
    }
    std::free(list);
    return names;
}

} // namespace

Result<Machine> find_machine(const Settings &settings) {
    const auto name = settings.get("machine", default_machine);
    const auto directory = settings.get("data") + "/machines";
    // A name with a slash is the user's own profile.
    const auto path = name.contains('/') ? name : text({directory, "/", name, ".cfg"});
    const auto file = read_file(path);
    if (!file && file.error().status == RVL_NOT_FOUND) {
        const auto names = machine_names(directory);
        return names.empty()
                   ? fail(RVL_NOT_FOUND, {"no machine profiles in ", directory,
                                          "; set RIVULET_DATA to the directory with machines/"})
                   : fail(RVL_NOT_FOUND,
                          {"there is no machine \"", name, "\"; RIVULET_MACHINE may name ", names});
    }
    if (!file)
        return fail(file.error().status, {"machine profile: ", file.error().message});
    const std::string_view profile(reinterpret_cast<const char *>(file->data()), file->size());
    const auto entries = parse(profile, path);
    if (!entries)
        return std::unexpected(entries.error());
    auto machine = interpret(*entries, path);
    if (!machine)
        return machine;

    machine->name = name;
    machine->path = path;
    if (const auto harts = parse_number(settings.get("harts")))
        machine->harts = static_cast<uint32_t>(*harts);
    else if (machine->harts == 0)
        machine->harts = std::min(processor_count(), most_default_harts);
    if (machine->harts > machine->most_harts)
        return fail(RVL_INVALID, {path, " has ", machine->harts, " harts; 1 to ",
                                  machine->most_harts, " are possible"});
    if (const auto memory = parse_number(settings.get("memory")))
        machine->memory_bytes = *memory;
    if (machine->memory_bytes < least_memory || machine->memory_bytes % RVL_PAGE_BYTES != 0)
        return fail(RVL_INVALID, {name, " needs at least ", bytes_text(least_memory),
                                  " of memory, in whole pages, and was given ",
                                  bytes_text(machine->memory_bytes),
                                  "; set it with RIVULET_MACHINE=\"", name, ",memory=2G\""});
    const uint64_t before = machine->window_base - machine->memory_base;
    if (machine->window_bytes == 0)
        machine->window_bytes = machine->memory_bytes - before;
    if (machine->window_base < machine->memory_base || before > machine->memory_bytes ||
        machine->window_bytes > machine->memory_bytes - before)
        return fail(RVL_INVALID, {path, ": the board's memory is outside the machine's"});
    return machine;
}

} // namespace rivulet::hal::qemu
