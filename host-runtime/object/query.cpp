// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/query.h"

namespace rivulet {

void fail_unknown(cl_uint name) {
    fail(CL_INVALID_VALUE, "param_name % is invalid for this function", {Hex{name}});
}

void Reply::bytes(const void *data, size_t count) {
    require(!value_ || size_ >= count, CL_INVALID_VALUE,
            "param_value_size is %, the value has % bytes", size_, count);
    if (value_ && count)
        std::memcpy(value_, data, count);
    if (size_ret_)
        *size_ret_ = count;
}

void Reply::put(std::string_view text) {
    require(!value_ || size_ > text.size(), CL_INVALID_VALUE,
            "param_value_size is %, the value has % bytes", size_, text.size() + 1);
    if (value_) {
        std::memcpy(value_, text.data(), text.size());
        static_cast<char *>(value_)[text.size()] = '\0';
    }
    if (size_ret_)
        *size_ret_ = text.size() + 1;
}

} // namespace rivulet
