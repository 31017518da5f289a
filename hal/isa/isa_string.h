// SPDX-License-Identifier: Apache-2.0
//
// RISC-V ISA strings: their names, what names imply, and which of them can only be typing errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rivulet::isa {

/// The names in an ISA string, in lower case, without versions, each once: "rv64", then "i", "zba".
/// Single letters run together; from the first z, s or x on, and after each '_', names are longer.
std::vector<std::string> names(std::string_view isa);

/// Appends the extensions that those in `names` imply: "d" and "zicsr" for "g", "zve64d" for "v".
void add_implied(std::vector<std::string> &names);

/// The string of a device tree's riscv,isa-base and riscv,isa-extensions: the single letters in the
/// ISA manual's order, then the others, without those of S mode, which are nothing to kernels.
std::string join(std::string_view base, std::vector<std::string> extensions);

/// The extension of this name exists: as a ratified one, as a draft or as a vendor's.
bool is_known(std::string_view name);

struct Verdict {
    std::string error; ///< a sentence about a name that can't be meant; empty: none is
    std::vector<std::string> unknown; ///< of the form of an extension's name, and like no known one
};

/// What to think of names that no extension has.
///
/// New extensions appear every month, so an unknown name alone is no error. A typing error shows
/// by three things together: the name is an edit away from a known one (two edits from eight
/// letters on), and that one is not in the string, not implied either. So `rv64gc_zve64dd`, which
/// would cost the vector unit, is an error; `rv64gcv_zvfh_zvfhx` is not, for nothing was lost.
/// New names that resemble a known one mostly extend it (Zvkgs needs Zvkg), and stand beside it.
/// A name that is malformed (empty, of other characters, with another first letter) is an error.
Verdict check(std::string_view isa);

} // namespace rivulet::isa
