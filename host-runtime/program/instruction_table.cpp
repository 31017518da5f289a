// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/instruction_table.h"

#include <string>
#include <unistd.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/read_file.h"

namespace rivulet {

CompileRequest::Header instruction_table(const Device &device) {
    const char *chosen = environment(Variable::instructions);
    const std::string path =
        chosen ? chosen : device.physical_device().board_file("instructions.h");
    if (!chosen && access(path.c_str(), F_OK) != 0)
        return {};
    const auto contents = read_file(path);
    if (!contents) // the build fails and says why
        return {path, text({"#error ", contents.error().message, "\n"})};
    return {path, {reinterpret_cast<const char *>(contents->data()), contents->size()}};
}

} // namespace rivulet
