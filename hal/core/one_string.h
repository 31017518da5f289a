// SPDX-License-Identifier: Apache-2.0
//
// Put before every source of the small library: the C++ library's own std::string is used, not one
// of ours. From C++20 on its headers no longer say so, since some members are not in it.
#pragma once

#ifdef __cplusplus
#include <string>
extern template class std::basic_string<char>;
#endif
