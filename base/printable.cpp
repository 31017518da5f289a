// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

namespace rivulet {

void make_printable(std::span<char> text, char kept) {
    for (char &c : text) {
        if (c == 0)
            break;
        if ((is_control(c) && c != kept) || static_cast<unsigned char>(c) > 0x7f)
            c = '?';
    }
}

} // namespace rivulet
