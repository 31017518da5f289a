// SPDX-License-Identifier: Apache-2.0
//
// The one way to the environment. environment.def is the table of Rivulet's variables. Nothing is
// read in a program that runs with rights which its caller does not have (set-user-ID and the
// like): the caller must not choose drivers, compilers or files for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace rivulet::hal {

enum class Variable : unsigned char {
#define RIVULET_VARIABLE(id, name, kind, permitted, otherwise, meaning) id,
#include "hal/core/environment.def"
};

/// "RIVULET_…"
const char *name_of(Variable variable);

/// The text of a variable; nullptr if it is not set, empty, or not among the values that are
/// permitted. The latter is an error on standard error, once per variable, which names those.
const char *environment(Variable variable);
/// The same as a number: the table's default if there is no text, nullopt where the table has none.
std::optional<double> environment_number(Variable variable);
/// The same as the index of a choice in the table.
size_t environment_choice(Variable variable);

/// Warns of each RIVULET_… that is set and not in the table, with the nearest name that is.
void warn_of_unknown_variables();

/// A variable of others: PATH, HOME and the like. nullptr if it is not set.
const char *foreign_environment(const char *name);

} // namespace rivulet::hal
