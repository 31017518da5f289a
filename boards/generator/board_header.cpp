// SPDX-License-Identifier: Apache-2.0
//
// board-header [--own-drivers] BOARD.dtb HEADER LINKER-SCRIPT [KEY.pub]
// board-header [--own-drivers] --summary BOARD.dtb
//
// Turns a board's device tree into constants for C and memory regions for the linker, so that no
// address is written twice:
//   BOARD_DEVICES, BOARD_LINES     rows of struct device and struct device_line
//   BOARD_<LABEL>_BASE, _BYTES     of labelled nodes (second and later ranges of reg: _BASE_1, …)
//   BOARD_<NAME>                   of each property rivulet,<name> of /chosen
//   BOARD_KEY                      the 32 bytes of KEY.pub, an Ed25519 key in PEM
//   BOARD_NAME, _COMPATIBLE, _TIMEBASE, _ISA, _BOOT_HART, _CACHE_BLOCK, _CONSOLE
// A board that could not work is refused with a sentence, and nothing is written.

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>

#include "boards/generator/board.h"

namespace {

using namespace rivulet::boards;

int run(int count, char **arguments) {
    const bool has_own_drivers = count > 1 && std::string_view(arguments[1]) == "--own-drivers";
    if (has_own_drivers) {
        --count;
        ++arguments;
    }
    const bool is_summary = count == 3 && std::string_view(arguments[1]) == "--summary";
    if (!is_summary && count != 4 && count != 5) {
        std::cerr
            << "usage: board-header [--own-drivers] BOARD.dtb HEADER LINKER-SCRIPT [KEY.pub]\n"
               "       board-header [--own-drivers] --summary BOARD.dtb\n";
        return 2;
    }
    const std::string path = arguments[is_summary ? 2 : 1];
    try {
        const Tree tree = Tree::read(path);
        Board board = read_board(tree, has_own_drivers);
        for (const std::string &note : board.notes)
            if (!is_summary) // only once: the summary is generated along with the header
                std::cerr << "board-header: " << path << ": note: " << note << '\n';
        if (is_summary) {
            write_summary(board, std::cout);
            return 0;
        }
        std::ostringstream header, script;
        if (count == 5)
            board.key = read_key(arguments[4]);
        write_header(tree, board, header);
        write_linker_script(board, script);
        std::ofstream header_file(arguments[2]), script_file(arguments[3]);
        header_file << header.str();
        script_file << script.str();
        if (!header_file.flush() || !script_file.flush())
            fail("could not write the generated files");
        return 0;
    } catch (const std::exception &error) {
        std::string what = error.what(); // may quote names from a damaged tree
        std::ranges::replace_if(what, [](char c) { return c < ' ' || c > '~'; }, '?');
        std::cerr << "board-header: " << path << ": " << what << '\n';
        return 1;
    }
}

} // namespace

int main(int count, char **arguments) { return run(count, arguments); }
