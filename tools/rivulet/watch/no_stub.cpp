// SPDX-License-Identifier: Apache-2.0
//
// Without libfdt there is no gdb driver, either.
#include "tools/rivulet/watch/memory.h"

namespace rivulet::tools {

Result<std::unique_ptr<WatchedMemory>> open_stub(const hal::Config &) {
    return fail(RVL_UNSUPPORTED, "built without libfdt, and so without debug ports");
}

} // namespace rivulet::tools
