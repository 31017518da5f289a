// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace rivulet::hal::conformance {

/// Tells the author of a driver where to look when the test with that name ("Wait.TimesOut") fails;
/// "" if there is no advice.
std::string_view advice(std::string_view test);

} // namespace rivulet::hal::conformance
