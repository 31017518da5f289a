// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace rivulet::hal::conformance {

/// What a porter should look at when the test of that name ("Wait.TimesOut") fails; "" if nobody
/// wrote it down.
std::string_view advice(std::string_view test);

} // namespace rivulet::hal::conformance
