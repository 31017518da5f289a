// SPDX-License-Identifier: Apache-2.0
//
// The only access to the environment. Rivulet's variables are listed in environment.def. In
// programs that run with elevated privileges (set-user-ID etc.), no variable is read, because the
// caller must not choose drivers, compilers or files for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace rivulet {

enum class Variable : unsigned char {
#define RIVULET_VARIABLE(id, name, kind, permitted, otherwise, meaning) id,
#include "base/environment.def"
};

/// "RIVULET_…"
const char *name_of(Variable variable);

/// The value of a variable; nullptr if it is unset, empty, or not permitted. In the last case,
/// prints an error listing the permitted values to standard error, once per variable.
const char *environment(Variable variable);
/// The same as a number: the table's default if unset, nullopt if the table has none.
std::optional<double> environment_number(Variable variable);
/// The same as an index into the table's choices.
size_t environment_choice(Variable variable);

/// Warns about each RIVULET_… variable that is set but not in the table, suggesting the nearest
/// name.
void warn_of_unknown_variables();

/// A variable that is not Rivulet's: PATH, HOME and the like. nullptr if unset.
const char *foreign_environment(const char *name);

} // namespace rivulet
