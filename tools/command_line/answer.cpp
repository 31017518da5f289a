// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tools/command_line/documents.h"

namespace rivulet::command_line {
namespace {

namespace fs = std::filesystem;

void write(const fs::path &path, const std::string &text) {
    fs::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (!file)
        throw std::runtime_error(path.string() + " can't be written");
}

std::string page_name(const Command &root, const Command &command) {
    return !command.program.empty() ? command.program : root.name + "-" + command.name;
}

std::string page(const Command &root, const Command &command) {
    return manual_page(command, &root == &command ? root.name : page_name(root, command),
                       root.version);
}

void write_all(const Command &root, const fs::path &folder) {
    write(folder / "man/man1" / (root.name + ".1"), page(root, root));
    write(folder / "bash-completion/completions" / root.name, bash_completion(root));
    write(folder / "zsh/site-functions" / ("_" + root.name), zsh_completion(root));
    for (const Command &command : root.subcommands) {
        write(folder / "man/man1" / (page_name(root, command) + ".1"), page(root, command));
        if (command.program.empty())
            continue;
        // bash-completion looks for a file named like the program.
        const fs::path link = folder / "bash-completion/completions" / command.program;
        fs::remove(link);
        fs::create_symlink(root.name, link);
        // To users, `man rivulet-run` and `man rivulet-conformance` follow the same naming scheme.
        if (command.program != root.name + "-" + command.name)
            write(folder / "man/man1" / (root.name + "-" + command.name + ".1"),
                  ".so man1/" + command.program + ".1\n");
    }
}

int print(const std::string &text) {
    return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : 1;
}

int complain(const std::string &text) {
    std::fprintf(stderr, "%s\n", text.c_str());
    return 2;
}

} // namespace

std::optional<int> answer(const Command &root, int argc, char **argv) {
    const std::string word = argc > 1 ? argv[1] : "";
    const std::string value = argc > 2 ? argv[2] : "";
    if (word == "--print-options")
        return print(to_json(root).dump() + "\n");
    if (word == "--print-man") {
        const Command *command = value.empty() ? &root : root.find(value);
        if (command == nullptr)
            return complain(root.name + " has no subcommand " + value);
        return print(page(root, *command));
    }
    if (word == "--print-completion") {
        if (value != "bash" && value != "zsh")
            return complain("--print-completion takes bash or zsh");
        return print(value == "bash" ? bash_completion(root) : zsh_completion(root));
    }
    if (word == "--write-documents") {
        if (value.empty())
            return complain("--write-documents takes a folder");
        write_all(root, value);
        return 0;
    }
    return std::nullopt;
}

std::optional<int> answer(const CLI::App &app, const std::string &version, int argc, char **argv) {
    if (argc < 2 || std::string_view(argv[1]).find("--print-") != 0)
        return std::nullopt;
    Command command = describe(app);
    command.version = version;
    return answer(command, argc, argv);
}

} // namespace rivulet::command_line
