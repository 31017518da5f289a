// SPDX-License-Identifier: Apache-2.0
//
// RISC-V ISA strings: extension names, implied extensions, and detection of typos.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rivulet::isa {

/// The names in an ISA string, in lower case, without versions or duplicates: "rv64", then "i",
/// "zba". Single letters are written together; from the first z, s or x on, and after each '_',
/// names have several letters.
std::vector<std::string> names(std::string_view isa);

/// Appends the extensions implied by those in `names`: "d" and "zicsr" for "g", "zve64d" for "v".
void add_implied(std::vector<std::string> &names);

/// Builds the string from a device tree's riscv,isa-base and riscv,isa-extensions: single letters
/// in the ISA manual's order, then the others, without S-mode extensions, which don't affect
/// kernels.
std::string join(std::string_view base, std::vector<std::string> extensions);

/// True if an extension of this name exists: ratified, as a draft, or a vendor's.
bool is_known(std::string_view name);

struct Verdict {
    std::string error; ///< a message about a name that must be a mistake; empty if there is none
    std::vector<std::string> unknown; ///< well-formed names that are not known and not similar to a
                                      ///< known one
};

/// Judges names of unknown extensions.
///
/// New extensions appear every month, so an unknown name is not by itself an error. It is taken for
/// a typo if it is one edit away from a known name (two from eight letters on) and that name is
/// neither in the string nor implied. So `rv64gc_zve64dd`, which would cost the vector unit, is an
/// error; `rv64gcv_zvfh_zvfhx` is not, because nothing is lost. New names similar to a known one
/// usually extend it (Zvkgs needs Zvkg) and appear along with it. A malformed name (empty, other
/// characters, wrong first letter) is an error.
Verdict check(std::string_view isa);

} // namespace rivulet::isa
