// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_LOWERING_ADDRESS_SPACE_ALIAS_SCOPES_H
#define RIVULET_COMPILER_LOWERING_ADDRESS_SPACE_ALIAS_SCOPES_H

#include "compiler/support/program.h"

namespace rivulet::compiler {

// Records what address spaces imply about loads and stores as metadata that outlives them: global,
// local and private memory don't alias, and constant memory doesn't change (6.7.2, 6.7.3).
void add_address_space_scopes(Program &program);

} // namespace rivulet::compiler

#endif
