// SPDX-License-Identifier: Apache-2.0
#include "compiler/work_items/async_copy_element.h"

#include <llvm/ADT/StringSwitch.h>

#include "compiler/work_items/work_group_builtin_table.h"

namespace rivulet::compiler {

using namespace llvm;

std::optional<AsyncCopyElement> async_copy_element(StringRef function) {
    StringRef parameters = mangled_parameters(function);
    AsyncCopyElement element;
    parameters.consume_front("P");
    if (parameters.consume_front("U3AS"))
        parameters = parameters.drop_front();
    while (parameters.consume_front("K") || parameters.consume_front("V")) {
    }
    if (parameters.consume_front("Dv")) {
        parameters.consumeInteger(10, element.components);
        parameters.consume_front("_");
        if (element.components == 3)
            element.components = 4; // 6.3.5: as large as four
    }
    if (parameters.starts_with("Dh"))
        element.bytes = 2;
    else
        element.bytes = StringSwitch<unsigned>(parameters.take_front())
                            .Cases({"a", "c", "h"}, 1)
                            .Cases({"s", "t"}, 2)
                            .Cases({"i", "j", "f"}, 4)
                            .Cases({"l", "m", "x", "y", "d"}, 8)
                            .Default(0);
    if (element.bytes == 0)
        return std::nullopt;
    return element;
}

} // namespace rivulet::compiler
