// SPDX-License-Identifier: Apache-2.0
//
// The contents of a buffer, with the files that they come from and go to: NumPy's .npy (format 1
// and 2, C order, little endian), and raw bytes in files of any other name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/element.h"

namespace rivulet::run {

struct Array {
    Element element;
    std::vector<std::byte> bytes;

    [[nodiscard]] size_t count() const { return bytes.size() / element.bytes(); }
    /// Component `which` of all, padding of vectors of three left out.
    [[nodiscard]] std::span<std::byte> component(size_t which);
    [[nodiscard]] std::span<const std::byte> component(size_t which) const;
    [[nodiscard]] size_t number_of_components() const { return count() * element.components; }
};

/// All of a file; throws std::runtime_error with a sentence.
std::vector<std::byte> read_file(const std::string &path);

/// The elements in a file. A .npy file must have components of `element`'s type, and rows of as
/// many as it has; the others must be whole elements. Throws std::runtime_error.
Array load_array(const std::string &path, const Element &element);
void save_array(const std::string &path, const Array &array);

} // namespace rivulet::run
