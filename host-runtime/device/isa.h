// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rivulet {

/// The extensions in `needed` that a device with `isa` and `vlen` bits lacks, separated by blanks;
/// empty if it has them all. Both are RISC-V ISA strings ("rv64imafdcv_zfh_zvl512b"; versions such
/// as "zfh1p0" are allowed), or "host" for the host's own instruction set. Implied extensions ("g",
/// "v", "d") are taken into account.
std::string missing_extensions(std::string_view isa, uint32_t vlen, std::string_view needed);

/// True if an ISA string names or implies an extension: "D", "zfh". "host" has none.
bool has_extension(std::string_view isa, std::string_view extension);

} // namespace rivulet
