// SPDX-License-Identifier: Apache-2.0
//
// Images into files and onto block devices, never half done in silence.
#pragma once

#include <cstdint>
#include <string>

#include "tools/flash/slots.h"

namespace rivulet::flash {

/// A file, under its name only once it is whole; what is no regular file is written into.
hal::Result<> write_file(const std::string &path, const Bytes &image);

/// A block device, or a file that is there already: everything but the header first, then the
/// header, then all of it is read back. What is interrupted has no header that a boot ROM takes.
hal::Result<> write_device(const std::string &path, const Bytes &image, uint64_t header,
                           uint64_t header_bytes);

/// Reads the first `most` bytes that the device or file holds, or all where it has fewer.
hal::Result<Bytes> read_chip(const std::string &path, uint64_t most);
/// Each piece is on the medium before the next is begun; then all of them are read back.
hal::Result<> write_pieces(const std::string &path, const std::vector<SlotUpdate::Piece> &pieces);

} // namespace rivulet::flash
