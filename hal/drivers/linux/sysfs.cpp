// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/sysfs.h"

#include <fcntl.h>

#include <cerrno>
#include <fstream>

#include "base/file_descriptor.h"

namespace rivulet::hal::window {

std::string sysfs_path(const Settings &settings, std::initializer_list<Part> parts) {
    return settings.get("sysfs", "/sys") + text(parts);
}

Result<std::string> read_line(const std::string &path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        return fail(RVL_NOT_FOUND, {"cannot read ", path, "; is the device bound to its driver?"});
    return line;
}

Result<> write_line(const std::string &path, const std::string &line) {
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
    if (!file || ::write(file.get(), line.data(), line.size()) != ssize_t(line.size()))
        return fail(RVL_IO, {"cannot write ", line, " to ", path, ": ", errno_text(errno)});
    return {};
}

} // namespace rivulet::hal::window
