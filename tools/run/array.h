// SPDX-License-Identifier: Apache-2.0
//
// The contents of a buffer, and the files they are read from and written to: NumPy's .npy (formats
// 1 and 2, C order, little endian), and raw bytes in files with other names.
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
    /// Component number `which`, not counting the padding of three-component vectors.
    [[nodiscard]] std::span<std::byte> component(size_t which);
    [[nodiscard]] std::span<const std::byte> component(size_t which) const;
    [[nodiscard]] size_t number_of_components() const { return count() * element.components; }
};

/// Reads a whole file; throws std::runtime_error with a message.
std::vector<std::byte> read_file(const std::string &path);

/// Reads the elements in a file. A .npy file must have components of `element`'s type and a
/// matching row length; other files must contain whole elements. Throws std::runtime_error.
Array load_array(const std::string &path, const Element &element);
void save_array(const std::string &path, const Array &array);

} // namespace rivulet::run
