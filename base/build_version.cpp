// SPDX-License-Identifier: Apache-2.0
#include "base/build_version.h"

#include RIVULET_BUILD_VERSION_HEADER

namespace rivulet {

const char *build_version() { return RIVULET_BUILD_VERSION; }

} // namespace rivulet
