// SPDX-License-Identifier: Apache-2.0
#include "base/unix_address.h"

#include <sys/socket.h>

namespace rivulet {

Result<sockaddr_un> unix_address(std::string_view path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path || path.contains('\0'))
        return fail(RVL_INVALID, {"the path of a UNIX socket may have 1 to ",
                                  sizeof address.sun_path - 1, " bytes and no NUL; \"", path,
                                  "\" has ", path.size(), " bytes: name one in another folder"});
    path.copy(address.sun_path, path.size());
    return address;
}

} // namespace rivulet
