// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rivulet {

/// The version of this build and the commit it was built from: "0.1.0+g356279f98a1b", with ".dirty"
/// appended if files differed from that commit. A semantic version (semver.org, 10): two builds
/// with the same text have the same sources, unless both are dirty.
const char *build_version();

} // namespace rivulet
