// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace rivulet::hal::conformance {

/// Tells a porter where to look when the test of that name ("Wait.TimesOut") fails; "" if nobody
/// wrote it down.
std::string_view advice(std::string_view test);

} // namespace rivulet::hal::conformance
