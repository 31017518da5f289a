// SPDX-License-Identifier: Apache-2.0
//
// Finds the files that belong to the library, in an installation or a build tree.
#pragma once

#include <string>
#include <string_view>

namespace rivulet {

/// The directory of drivers/, machines/ and firmware/ belonging to the library or program that
/// contains this code, in an install tree or a build tree; "" if not found.
std::string find_data_directory();

/// Of the folders of RIVULET_BOARD_PATH, the first one with boards/`board`; otherwise `data`. All
/// files of a board, and its firmware, are read from that folder.
std::string find_board_directory(std::string_view board, const std::string &data);

/// What a message calls a document, such as "docs/products.md": its path if it is installed,
/// otherwise its name and the package that has it.
std::string name_of_document(std::string_view name);

/// The directory containing drivers/ of this library or program; "" if not found.
std::string find_driver_directory();
/// Path of an internal program in lib/rivulet; "" if not found.
std::string find_helper(std::string_view name);

} // namespace rivulet
