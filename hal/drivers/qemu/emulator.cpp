// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/qemu/emulator.h"

#include <cstdlib>

#include "hal/drivers/qemu/process.h"

namespace rivulet::hal::qemu {
namespace {

constexpr int least_version = 9;
constexpr std::string_view hold = ",hold"; // suffix of the socket's path

/// Doubles commas, which otherwise separate QEMU's options.
std::string escaped(std::string_view value) {
    std::string escaped;
    for (const char c : value)
        escaped.append(c == ',' ? 2 : 1, c);
    return escaped;
}

} // namespace

Result<Emulator> find_emulator(const Settings &settings, Machine machine) {
    const auto name =
        settings.get("qemu", machine.xlen == 32 ? "qemu-system-riscv32" : "qemu-system-riscv64");
    auto program = find_program(name);
    if (program.empty())
        return fail(RVL_NOT_FOUND, {name, " was not found; install QEMU ", least_version,
                                    " or newer with its RISC-V system emulator, or set "
                                    "RIVULET_QEMU to the program"});
    auto gdb = settings.get("gdb");
    const bool holds = gdb.ends_with(hold);
    if (holds)
        gdb.resize(gdb.size() - hold.size());
    if (holds && gdb.empty()) // harts could never be released
        return fail(RVL_INVALID,
                    {"RIVULET_GDB is \"", hold, "\", without the socket's path; write ",
                     "/path/to/socket", hold});
    return Emulator{.machine = std::move(machine),
                    .program = std::move(program),
                    .gdb = std::move(gdb),
                    .holds = holds,
                    .sandboxed = settings.get("sandbox") != "off"};
}

std::vector<std::string> command_line(const Emulator &emulator) {
    const Machine &machine = emulator.machine;
    const auto harts = std::to_string(machine.harts);
    // With maxcpus=1, QEMU emits atomics that are not atomic for the host process. With icount they
    // never are, because one thread runs all harts.
    const bool room_for_two =
        machine.harts == 1 && !machine.counts_instructions && machine.has_doorbell;
    std::vector<std::string> arguments = {
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-readconfig",
        machine.path,
        "-smp",
        text({harts, ",maxcpus=", room_for_two ? "2" : harts}),
        "-m",
        text({machine.memory_bytes >> 10, "K"}),
        "-object",
        text({"memory-backend-file,id=ram,share=on,mem-path=/proc/self/fd/3,size=",
              machine.memory_bytes}),
    };
    const auto add = [&](std::initializer_list<std::string> more) {
        arguments.insert(arguments.end(), more);
    };
    if (!machine.model.empty())
        add({"-cpu", machine.model});
    if (machine.has_doorbell)
        add({"-chardev", "socket,id=doorbell,fd=4", "-device",
             text({"ivshmem-doorbell,chardev=doorbell,vectors=", harts})});
    else if (machine.window_base != machine.memory_base) // the harts jump to the start of RAM
        add({"-device", text({"loader,cpu-num=0,addr=", hex(machine.window_base)})});
    for (uint32_t port = 0; port < machine.console; ++port)
        add({"-serial", "null"});
    add({"-serial", "file:/dev/stdout"});
    if (machine.has_sbi) // it starts what QEMU loads as a kernel
        add({"-kernel", "/proc/self/fd/5"});
    if (emulator.sandboxed)
        add({"-sandbox",
             "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"});
    if (!emulator.gdb.empty())
        add({"-chardev", text({"socket,id=gdb,server=on,wait=off,path=", escaped(emulator.gdb)}),
             "-gdb", "chardev:gdb"});
    if (emulator.holds)
        add({"-S"});
    return arguments;
}

std::string version_advice(const std::string &program) {
    const auto answer = output_of(program, {"--version"});
    constexpr std::string_view before = "QEMU emulator version ";
    const auto at = answer.find(before);
    const int major = at == answer.npos ? 0 : std::atoi(answer.c_str() + at + before.size());
    if (major >= least_version)
        return "";
    if (major == 0)
        return text({"; ", program, " is no QEMU that tells its version"});
    return text({"; ", program, " is QEMU ", major, ", version ", least_version,
                 " or newer is needed: install one, or set RIVULET_QEMU to it"});
}

} // namespace rivulet::hal::qemu
