// SPDX-License-Identifier: Apache-2.0
//
// Writes images to files and block devices, and verifies them.
#pragma once

#include <cstdint>
#include <string>

#include "tools/flash/slots.h"

namespace rivulet::flash {

/// Writes a file that appears under its name only when complete; special files are written to.
Result<> write_file(const std::string &path, const Bytes &image);

/// Writes to a block device or an existing file: everything but the header first, then the header;
/// then all of it is read back. If interrupted, there is no header that a boot ROM would accept.
Result<> write_device(const std::string &path, const Bytes &image, uint64_t header,
                      uint64_t header_bytes);

/// Reads the first `most` bytes of the device or file, or less at its end.
Result<Bytes> read_chip(const std::string &path, uint64_t most);
/// Each piece is on the medium before the next is written; then all of them are read back.
Result<> write_pieces(const std::string &path, const std::vector<SlotUpdate::Piece> &pieces);

} // namespace rivulet::flash
