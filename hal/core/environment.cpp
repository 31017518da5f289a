// SPDX-License-Identifier: Apache-2.0
#include "hal/core/environment.h"

#include <cstdlib>

namespace rivulet::hal {

const char *environment(const char *name) { return secure_getenv(name); }

} // namespace rivulet::hal
