// SPDX-License-Identifier: Apache-2.0
//
// Images into files and onto block devices, never half done in silence.
#pragma once

#include <cstdint>
#include <string>

#include "tools/flash/image.h"

namespace rivulet::flash {

/// A new file, under its name only once it is whole.
hal::Result<> write_file(const std::string &path, const Bytes &image);

/// A block device, or a file that is there already: everything but the header first, then the
/// header, then all of it is read back. What is interrupted has no header that a boot ROM takes.
hal::Result<> write_device(const std::string &path, const Bytes &image, uint64_t header,
                           uint64_t header_bytes);

} // namespace rivulet::flash
