// SPDX-License-Identifier: Apache-2.0
//
// The output of kernels (OpenCL C 6.12.13): converts the records they write to text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace rivulet {

enum class PrintfRecords {
    compact, // rvl_printf_head
    old,     // rvl_printf_record, of kernel images of version 1.0
};

/// Prints the records in order. `image` is the kernel image's code and constants, located at
/// `image_base` on the device. Kernels may have overwritten the records: invalid ones end the
/// output.
void print_records(std::span<const std::byte> records, PrintfRecords kind,
                   std::span<const std::byte> image, uint64_t image_base, std::FILE *to);

/// How to get more output of a launch than `mebibytes`, as the end of a sentence.
std::string more_printf(size_t mebibytes);

} // namespace rivulet
